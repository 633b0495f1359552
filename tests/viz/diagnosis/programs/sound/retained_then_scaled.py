x = T.ones(3, requires_grad=True)
h = x * 2
h.retain_grad()
loss = h.pow(2).sum()
loss.backward()
