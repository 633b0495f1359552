G, D = nn.Linear(2, 4), nn.Linear(4, 1)
opt_g, opt_d = optim.SGD(G.parameters(), lr=0.1), optim.SGD(D.parameters(), lr=0.1)

def train_step():
    for p in D.parameters():
        p.requires_grad_(True)
    opt_d.zero_grad()
    (D(G(T.randn(16, 2)).detach()).mean() - D(x).mean()).backward()
    opt_d.step()
    for p in D.parameters():
        p.requires_grad_(False)
    opt_g.zero_grad()
    (-D(G(T.randn(16, 2))).mean()).backward()
    opt_g.step()
