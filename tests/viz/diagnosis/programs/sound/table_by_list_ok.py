theta = T.tensor([0.1, 0.2], requires_grad=True)
V = [T.zeros(())]
for s in (1, 0):
    V.append(theta[s] * V[-1] + theta[s] ** 2)
loss = V[-1]
loss.backward()
