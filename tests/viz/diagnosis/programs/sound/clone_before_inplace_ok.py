q = T.randn(2, 4, requires_grad=True)
a = T.softmax(q, -1)
b = a.clone()
b *= 0.5
loss = (a * b).sum()
loss.backward()
