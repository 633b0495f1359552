w = (T.ones(3) * 0.1).requires_grad_()
loss = (w * w).sum()
loss.backward()
