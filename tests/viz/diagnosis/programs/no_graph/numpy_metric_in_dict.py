# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["numpy", "detach"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
net = T.nn.Linear(3, 1)
def mse(a, b): return np.mean((a - b) ** 2)
METRICS = {"mse": mse}
out = net(T.ones(4, 3))
score = METRICS["mse"](out.detach().numpy(), np.zeros((4, 1)))  # guilty
loss = T.tensor(float(score))
loss.backward()
