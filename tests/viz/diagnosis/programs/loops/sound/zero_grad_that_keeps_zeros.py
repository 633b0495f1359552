net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

def train_step():
    opt.zero_grad(set_to_none=False)
    F.mse_loss(net(x), y).backward()
    opt.step()
