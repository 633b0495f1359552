w = T.tensor([-1.0, 2.0], requires_grad=True)
loss = T.relu(w).sum()
loss.backward()
