w = T.tensor([0.3, 0.8], requires_grad=True)
rounded = w + (w.round() - w).detach()
loss = (rounded * 2).sum()
loss.backward()
