a, b = (nn.Linear(4, 1), nn.Linear(4, 1))
opt = optim.Adam([*a.parameters(), *b.parameters()])
with viz.diagnose() as report:
    for i in range(6):
        opt.zero_grad()
        F.mse_loss((a if i % 2 else b)(x), y).backward()
        opt.step()
