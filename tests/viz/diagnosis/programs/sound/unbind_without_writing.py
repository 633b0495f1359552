x = T.ones(2, 3, requires_grad=True)
first, second = x.unbind(0)
loss = (first * 2 + second).sum()
loss.backward()
