q = T.nn.Linear(3, 2)
values = q(T.randn(4, 3))
best = values.max(1).indices
loss = -values.gather(1, best.unsqueeze(1)).mean()
loss.backward()
