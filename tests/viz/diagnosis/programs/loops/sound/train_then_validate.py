net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.1), nn.ReLU(), nn.Linear(8, 1))
opt = optim.SGD(net.parameters(), lr=0.1)
history = []

with viz.diagnose() as report:
    for epoch in range(3):
        net.train()
        total = 0.0
        for batch in range(2):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            total += loss.item()
        history.append(total)
        net.eval()
        with T.no_grad():
            valid = F.mse_loss(net(x), y)
