net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
accum = 3
batches = [(x[i:i + 2], y[i:i + 2]) for i in range(0, 16, 2)]
with viz.diagnose() as report:
    opt.zero_grad()
    for epoch in range(2):
        for i, (xb, yb) in enumerate(batches):
            loss = F.mse_loss(net(xb), yb) / accum
            loss.backward()
            if (i + 1) % accum == 0 or i + 1 == len(batches):
                opt.step()
                opt.zero_grad()
