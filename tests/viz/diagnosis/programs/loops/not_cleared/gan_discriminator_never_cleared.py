# says_all = []

G, D = (nn.Linear(2, 4), nn.Linear(4, 1))
oG, oD = (optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1))
bce = F.binary_cross_entropy_with_logits
with viz.diagnose() as report:
    for i in range(4):
        fake = G(T.randn(16, 2))
        d = bce(D(x), T.ones(16, 1)) + bce(D(fake.detach()), T.zeros(16, 1))
        d.backward()
        oD.step()
        oG.zero_grad()
        g = bce(D(fake), T.ones(16, 1))
        g.backward()
        oG.step()
