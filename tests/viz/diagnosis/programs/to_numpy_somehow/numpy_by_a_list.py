# subject = "Calls that autograd refuses"
# says_any = ["history", "records"]
# cure_any = ["detach()", "item()"]

import numpy as np

model = T.nn.Linear(2, 1)
losses = []
for i in range(2):
    losses.append(model(T.ones(3, 2)).mean())
curve = np.array([np.asarray(l) for l in losses])  # guilty
