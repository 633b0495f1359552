net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(10):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        if i >= 8:
            opt.step()
