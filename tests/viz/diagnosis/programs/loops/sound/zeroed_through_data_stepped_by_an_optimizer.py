net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    for p in net.parameters():
        if p.grad is not None:
            p.grad.data.zero_()
    F.mse_loss(net(x), y).backward()
    opt.step()
