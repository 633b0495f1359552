net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)
mask = T.tensor([[0.0], [1.0]] * 8)

with viz.diagnose() as report:
    for i in range(3):
        loss = T.clamp(1 - mask * net(x), min=0).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
