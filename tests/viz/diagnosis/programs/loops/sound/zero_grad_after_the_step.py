net = nn.Linear(4, 1)
opt = optim.Adam(net.parameters())

with viz.diagnose() as report:
    for i in range(4):
        loss = F.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
