x = T.ones(3, requires_grad=True)
y = x.exp()
z = y.clone()
z += 1
loss = z.sum()
loss.backward()
