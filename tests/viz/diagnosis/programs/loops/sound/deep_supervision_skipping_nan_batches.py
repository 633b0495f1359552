net = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
heads = nn.ModuleList([nn.Linear(4, 1) for _ in range(3)])
opt = optim.SGD([*net.parameters(), *heads.parameters()], lr=0.05)
with viz.diagnose() as report:
    for i in range(4):
        h = x
        loss = 0.0
        for l, hd in zip(net, heads):
            h = T.tanh(l(h))
            loss = loss + F.mse_loss(hd(h), y)
        opt.zero_grad()
        loss.backward()
        if not T.isfinite(loss):
            continue
        opt.step()
