x = T.zeros(2, requires_grad=True)
loss = ((x * x).sum() + 1e-8).sqrt()
loss.backward()
