net = nn.Linear(4, 1)
fast = optim.Adam(net.parameters(), lr=0.01)
slow = optim.SGD(net.parameters(), lr=0.01)

with viz.diagnose() as report:
    for i in range(4):
        opt = fast if i < 2 else slow
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
