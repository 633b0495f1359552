# library = "torch"

net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.1)
scaler = T.amp.GradScaler("cpu", init_scale=2.0**120)

with viz.diagnose() as report:
    for i in range(4):
        opt.zero_grad()
        loss = F.mse_loss(net(x), y) * 1e5
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
