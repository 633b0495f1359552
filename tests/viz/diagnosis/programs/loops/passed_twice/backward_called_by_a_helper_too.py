# says_all = []

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def log(loss):
    loss.backward(retain_graph=True)
    return [p.grad.norm().item() for p in net.parameters()]

def train_step():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    log(loss)
    loss.backward()
    opt.step()
