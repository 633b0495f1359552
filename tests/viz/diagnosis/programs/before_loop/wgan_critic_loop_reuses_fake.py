# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["fake.detach()"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
od = T.optim.SGD(D.parameters(), lr=0.1)
fake = G(T.randn(4, 1))  # guilty
for k in range(3):
    d_loss = D(fake).mean() - D(T.randn(4, 2)).mean()
    od.zero_grad()
    d_loss.backward()
    od.step()
