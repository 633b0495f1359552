G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g, opt_d = optim.Adam(G.parameters(), lr=1e-3), optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()

with viz.diagnose() as report:
    for i in range(4):
        fake = G(T.randn(16, 2))
        d_loss = bce(D(x), T.ones(16, 1)) + bce(D(fake.detach()), T.zeros(16, 1))
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        g_loss = bce(D(fake), T.ones(16, 1))
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
