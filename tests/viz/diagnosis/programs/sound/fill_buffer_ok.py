theta = T.tensor([0.1, 0.2], requires_grad=True)
out = T.zeros(2)
for i in range(2):
    out[i] = theta[i] * 2
loss = out.sum()
loss.backward()
