w = T.tensor([[1.0, 2.0], [4.0, 3.0]], requires_grad=True)
values, places = w.max(1)
loss = values.sum()
loss.backward()
