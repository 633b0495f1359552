w = T.randn(3, requires_grad=True)
h = w * 2
h += 1
loss = h.sum()
loss.backward()
