a, b = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
oa, ob = T.optim.SGD(a.parameters(), lr=.1), T.optim.SGD(b.parameters(), lr=.1)
for i in range(2):
    h = a(T.ones(1, 2))
    loss = b(h).mean() + h.pow(2).mean()
    oa.zero_grad(); ob.zero_grad()
    loss.backward()
    oa.step(); ob.step()
