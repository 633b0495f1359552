# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
student = T.nn.Linear(3, 2)
cache = {}
def soft(key, x):
    if key not in cache:
        cache[key] = student(x).detach().numpy()  # guilty
    return T.tensor(cache[key])
out = soft("a", T.ones(2, 3))
loss = out.pow(2).mean()
loss.backward()
