# says_any = ["frozen"]
# cure_any = ["requires_grad = true"]
# never = ["loss.requires_grad_()"]

import numpy as np
model = T.nn.Linear(2, 1)
for p in model.parameters():
    p.requires_grad_(False)  # guilty
x = T.ones(3, 2)
t = T.from_numpy(np.ones((3, 1), dtype=np.float32))
loss = T.nn.functional.mse_loss(model(x), t)
loss.backward()
