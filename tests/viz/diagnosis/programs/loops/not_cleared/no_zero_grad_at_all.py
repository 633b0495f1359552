# subject = "Kept graphs and cleared gradients"
# says_all = ["zero_grad"]
# example = true

net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
