w = T.tensor([1.0, 2.0], requires_grad=True)
loss = (w ** 2).sum().sqrt()
loss.backward()
