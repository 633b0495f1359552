# subject = "Kept graphs and cleared gradients"
# says_all = ["step"]
# example = true

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    opt.step()
