# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["holds", "shares", "earlier"]
# cure_any = ["detach"]

class Pool:
    def __init__(self, size):
        self.size, self.items = size, []
    def query(self, fake):
        self.items.append(fake)  # guilty
        return T.cat(self.items[-self.size:])

G, D = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
opt_g = T.optim.Adam(G.parameters(), lr=1e-3)
opt_d = T.optim.Adam(D.parameters(), lr=1e-3)
pool = Pool(3)
for it in range(3):
    fake = G(T.randn(2, 2))  # guilty
    loss_g = -D(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    loss_d = D(pool.query(fake)).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
