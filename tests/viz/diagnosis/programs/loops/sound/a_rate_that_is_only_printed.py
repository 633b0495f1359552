rate = 0.05
net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=rate)
plan = optim.lr_scheduler.ExponentialLR(opt, gamma=0.5)

with viz.diagnose() as report:
    for i in range(3):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        plan.step()
        rate = rate * 0.5
