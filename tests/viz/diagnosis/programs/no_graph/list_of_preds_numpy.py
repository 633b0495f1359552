# says_any = ["numpy"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
net = T.nn.Linear(2, 1)
preds = []
for i in range(3):
    p = net(T.ones(1, 2) * i)
    preds.append(p.detach().numpy())  # guilty
loss = T.from_numpy(np.concatenate(preds)).mean()
loss.backward()
