G, D = (nn.Linear(2, 4), nn.Linear(4, 1))
oG, oD = (optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1))
with viz.diagnose() as report:
    for i in range(12):
        oG.zero_grad()
        oD.zero_grad()
        d = D(G(T.randn(16, 2))).mean() - D(x).mean()
        d.backward()
        oD.step()
        if i % 10 == 9:
            oG.zero_grad()
            (-D(G(T.randn(16, 2))).mean()).backward()
            oG.step()
