G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
og, od = T.optim.SGD(G.parameters(), lr=.1), T.optim.SGD(D.parameters(), lr=.1)
for i in range(3):
    fake = G(T.randn(4, 1))
    ld = D(fake.detach()).mean() - D(T.randn(4, 2)).mean()
    od.zero_grad(); ld.backward(); od.step()
    loss = -D(fake).mean()
    og.zero_grad(); loss.backward(); og.step()
