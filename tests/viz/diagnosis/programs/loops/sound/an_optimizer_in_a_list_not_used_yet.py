net = nn.Linear(4, 1)
optimizers = [optim.SGD(net.parameters(), lr=0.1)]

with viz.diagnose() as report:
    for i in range(3):
        if i == 0:
            net.zero_grad()
        if i > 5:
            for each in optimizers:
                each.step()
        F.mse_loss(net(x), y).backward()
