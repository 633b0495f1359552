net = T.nn.Linear(2, 1)
loss = net(T.ones(1, 2)).sum() + 0.1 * sum(p.pow(2).sum() for p in net.parameters())
loss.backward()
