net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

def clear():
    opt.zero_grad()

def train_step():
    clear()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    with T.no_grad():
        for p in net.parameters():
            p -= opt.param_groups[0]['lr'] * p.grad
