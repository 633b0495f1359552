w = T.randn(4, requires_grad=True)
q = w + (T.round(w) - w).detach()
loss = (q * q).sum()
loss.backward()
