# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["detach"]

import numpy as np
w = T.ones(2, requires_grad=True)
traj = []
for i in range(2):
    loss = (w ** 2).sum()
    loss.backward()
    with T.no_grad():
        w -= 0.1 * w.grad
    traj.append(np.array(w))  # guilty
