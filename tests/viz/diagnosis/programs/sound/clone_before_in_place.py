x = T.ones(3, requires_grad=True)
y = x.exp()
z = y.clone()
z[0] = 0.0
z += 1
loss = (z * y).sum()
loss.backward()
