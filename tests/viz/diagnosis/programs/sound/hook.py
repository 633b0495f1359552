w = T.ones(3, requires_grad=True)
h = w * 2
h.register_hook(lambda g: g * 0.5)
loss = (h * h).sum()
loss.backward()
