# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(w, meta)"
# says_any = ["detach"]
# cure_any = ["detach() out"]

import copy

w = T.randn(2, 1, requires_grad=True)
b = T.zeros(1, requires_grad=True)

def model(params, x):
    return x @ params[0] + params[1]

def adapt(params, x, y, lr=0.1):
    loss = (model(params, x) - y).pow(2).mean()
    grads = T.autograd.grad(loss, params)  # guilty
    return [(p - lr * g).detach().requires_grad_() for p, g in zip(params, grads)]  # guilty

x, y = T.randn(6, 2), T.randn(6, 1)
fast = adapt([w, b], x, y)
meta = (model(fast, x) - y).pow(2).mean()
meta.backward()
w.grad
