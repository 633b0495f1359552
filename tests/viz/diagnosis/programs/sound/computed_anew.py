w = T.ones(3, requires_grad=True)
for i in range(3):
    loss = (w * w).sum()
    loss.backward()
