# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["v.detach()"]
# never = ["retain_graph=True"]

w = T.ones(2, requires_grad=True)
v = T.zeros(2)
for i in range(3):
    loss = (w ** 2).sum()
    g, = T.autograd.grad(loss, w, create_graph=True)
    v = 0.9 * v + g  # guilty
    w.data -= 0.1 * v.data
    v.sum().backward()
