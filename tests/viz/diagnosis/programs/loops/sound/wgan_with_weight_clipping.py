G = nn.Linear(2, 4)
D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
oG = optim.RMSprop(G.parameters(), lr=5e-05)
oD = optim.RMSprop(D.parameters(), lr=5e-05)

def train_step():
    for _ in range(3):
        oD.zero_grad()
        loss_d = -(D(x).mean() - D(G(T.randn(16, 2)).detach()).mean())
        loss_d.backward()
        oD.step()
        for p in D.parameters():
            p.data.clamp_(-0.01, 0.01)
    oG.zero_grad()
    loss_g = -D(G(T.randn(16, 2))).mean()
    loss_g.backward()
    oG.step()
