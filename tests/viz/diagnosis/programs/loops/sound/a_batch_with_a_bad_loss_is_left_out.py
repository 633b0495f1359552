net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y) * (float("nan") if i == 1 else 1.0)
        if loss.item() != loss.item():
            continue
        loss.backward()
        opt.step()
