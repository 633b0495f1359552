# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.randn(3, requires_grad=True)
def f(w):
    return (w ** 3).sum()
g = T.autograd.grad(f(w), w, retain_graph=True)[0]  # guilty
v = T.ones(3)
hvp = T.autograd.grad((g * v).sum(), w)[0]
