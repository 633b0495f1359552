net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
opt = optim.SGD(net.parameters(), lr=0.05)


def start(layer):
    if isinstance(layer, nn.Linear):
        nn.init.xavier_uniform_(layer.weight)


with viz.diagnose() as report:
    for fold in range(2):
        net.apply(start)
        for epoch in range(2):
            for i in range(2):
                loss = F.mse_loss(net(x[i::2]), y[i::2])
                opt.zero_grad()
                loss.backward()
                opt.step()
