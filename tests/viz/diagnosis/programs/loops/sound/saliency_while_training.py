net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.SGD(net.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        xb = x.clone().requires_grad_()
        loss = F.cross_entropy(net(xb), classes)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sal = xb.grad.abs().mean().item()
