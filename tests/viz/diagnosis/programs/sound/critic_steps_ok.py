G, D = T.nn.Linear(1, 2), T.nn.Linear(2, 1)
od = T.optim.SGD(D.parameters(), lr=0.1)
fake = G(T.randn(4, 1)).detach()
for k in range(3):
    loss = D(fake).mean() - D(T.randn(4, 2)).mean()
    od.zero_grad()
    loss.backward()
    od.step()
