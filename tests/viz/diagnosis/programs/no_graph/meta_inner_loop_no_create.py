# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

meta = T.randn(2, requires_grad=True)
x, y = T.randn(5, 2), T.randn(5)
def inner(p):
    return (x @ p - y).pow(2).mean()
grad = T.autograd.grad(inner(meta), meta)[0]  # guilty
sharp = grad.pow(2).sum()
sharp.backward()
