net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
plan = optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)

with viz.diagnose() as report:
    for epoch in range(3):
        for batch in range(2):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
        plan.step()
