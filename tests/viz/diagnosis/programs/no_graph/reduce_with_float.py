# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["float()"]
# cure_any = ["leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import functools
net = T.nn.Linear(2, 1)
outs = [net(T.ones(2) * i).sum() for i in range(3)]
total = functools.reduce(lambda a, b: a + float(b), outs, 0.0)  # guilty
loss = T.tensor(total)
loss.backward()
