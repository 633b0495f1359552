# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["optimizer"]
# cure_any = ["before that step", "again after"]

G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
og, od = T.optim.SGD(G.parameters(), lr=0.1), T.optim.SGD(D.parameters(), lr=0.1)
for i in range(2):
    fake = G(T.randn(4, 1))
    real = T.randn(4, 2)
    g_loss = -D(fake).mean()
    d_loss = D(fake.detach()).mean() - D(real).mean()
    od.zero_grad()
    d_loss.backward()
    od.step()  # guilty
    og.zero_grad()
    g_loss.backward()
    og.step()
