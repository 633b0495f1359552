import numpy as np

w = T.ones(3, requires_grad=True)
loss = (w * w).sum()
loss.backward()
curve = np.array([loss.item()])
shown = w.detach().numpy()
