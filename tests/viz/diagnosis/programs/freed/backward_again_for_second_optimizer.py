# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["earlier pass", "optimizer"]
# cure_any = ["anew", "again after"]

a, b = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
oa, ob = T.optim.SGD(a.parameters(), lr=.1), T.optim.SGD(b.parameters(), lr=.1)
loss = b(T.tanh(a(T.ones(1, 2)))).pow(2).sum()
oa.zero_grad()
loss.backward()  # guilty
oa.step()
ob.zero_grad()
loss.backward()
ob.step()
