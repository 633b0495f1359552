import copy

net = nn.Linear(4, 1)
outer = optim.SGD(net.parameters(), lr=0.1)

with viz.diagnose() as report:
    for task in range(3):
        fast = copy.deepcopy(net)
        inner = optim.Adam(fast.parameters(), lr=0.01)
        loss = F.mse_loss(fast(x), y * (task + 1))
        inner.zero_grad()
        loss.backward()
        inner.step()
        with T.no_grad():
            for p, q in zip(net.parameters(), fast.parameters()):
                p += 0.5 * (q - p)
