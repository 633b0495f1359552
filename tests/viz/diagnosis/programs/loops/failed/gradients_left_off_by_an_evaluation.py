# says_all = ["no_grad"]

net = nn.Linear(4, 3)
opt = optim.SGD(net.parameters(), lr=0.1)

def evaluate():
    T.set_grad_enabled(False)
    return F.cross_entropy(net(x), classes).item()

def train_step():
    opt.zero_grad()
    loss = F.cross_entropy(net(x), classes)
    loss.backward()
    opt.step()
    evaluate()
