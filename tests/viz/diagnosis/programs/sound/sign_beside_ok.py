w = T.tensor([-1.0, 2.0], requires_grad=True)
loss = (w.abs() + T.sign(w)).sum()
loss.backward()
