# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["detach", ".item()"]

import math
model = T.nn.Linear(2, 1)
opt = T.optim.SGD(model.parameters(), lr=0.1)
sched = T.optim.lr_scheduler.StepLR(opt, 2)
history = []
for epoch in range(3):
    loss = model(T.ones(4, 2)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    history.append(loss)
import numpy as np
curve = np.array([h.numpy() for h in history])  # guilty
