net, extra = nn.Linear(4, 1), T.zeros(0, requires_grad=True)
opt = optim.SGD([*net.parameters(), extra], lr=0.1)

def train_step():
    opt.zero_grad()
    (F.mse_loss(net(x), y) + extra.sum()).backward()
    opt.step()
