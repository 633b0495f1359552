w = T.ones(3, requires_grad=True)
h = w * 2
h.retain_grad()
loss = (h * h).sum()
loss.backward()
