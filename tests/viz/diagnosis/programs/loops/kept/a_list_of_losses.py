# subject = "Kept graphs and cleared gradients"
# says_all = ["`history`"]

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
history = []

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    history.append(loss)
