a = T.tensor([[1.0, 1.0], [2.0, 0.0]], requires_grad=True)
d2 = (a[:, 0] - a[:, 1]).pow(2)
loss = T.where(d2 == 0, T.zeros(2), T.where(d2 == 0, T.ones(2), d2).sqrt()).sum()
loss.backward()
