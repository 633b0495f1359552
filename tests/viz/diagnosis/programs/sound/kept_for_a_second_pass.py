w = T.ones(3, requires_grad=True)
loss = w.exp().sum()
loss.backward(retain_graph=True)
loss.backward()
