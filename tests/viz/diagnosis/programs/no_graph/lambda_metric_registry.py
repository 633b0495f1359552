# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy"]
# cure_any = ["own operations"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import numpy as np
METRICS = {}
def register(name):
    def deco(f):
        METRICS[name] = f
        return f
    return deco

@register("rmse")
def rmse(p, y):
    return np.sqrt(((p.detach().numpy() - y.numpy()) ** 2).mean())  # guilty

net = T.nn.Linear(2, 1)
value = METRICS["rmse"](net(T.ones(3, 2)), T.zeros(3, 1))
loss = T.tensor(value)
loss.backward()
