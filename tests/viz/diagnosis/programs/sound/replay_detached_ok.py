G, D = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
og, od = T.optim.Adam(G.parameters()), T.optim.Adam(D.parameters())
pool = []
for it in range(3):
    fake = G(T.randn(2, 2))
    loss = -D(fake).mean()
    og.zero_grad(); loss.backward(); og.step()
    pool.append(fake.detach())
    loss_d = D(T.cat(pool)).mean()
    od.zero_grad(); loss_d.backward(); od.step()
