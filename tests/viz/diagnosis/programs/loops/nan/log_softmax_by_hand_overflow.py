# says_all = []

net = nn.Linear(4, 3)
net.weight.data.mul_(1000)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    e = net(x).exp()
    p = e / e.sum(1, keepdim=True)
    loss = -p.gather(1, classes.view(-1, 1)).log().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
