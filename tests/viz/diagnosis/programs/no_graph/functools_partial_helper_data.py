# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = [".data"]
# cure_any = ["leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

import functools
def scaled(model, x, k):
    return model(x).data * k  # guilty
model = T.nn.Linear(2, 1)
f = functools.partial(scaled, model, k=2.0)
loss = f(T.ones(1, 2)).sum()
loss.backward()
