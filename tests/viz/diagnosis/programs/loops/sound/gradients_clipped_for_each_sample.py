net = nn.Linear(4, 1)
opt = optim.SGD(net.parameters(), lr=0.05)

with viz.diagnose() as report:
    for epoch in range(2):
        sums = [T.zeros_like(p) for p in net.parameters()]
        for i in range(4):
            opt.zero_grad()
            loss = F.mse_loss(net(x[i]), y[i])
            loss.backward()
            for total, p in zip(sums, net.parameters()):
                total += p.grad.clamp(-1, 1)
        for total, p in zip(sums, net.parameters()):
            p.grad = total / 4
        opt.step()
