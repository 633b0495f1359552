# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["does not require grad"]
# cure_any = ["xt.requires_grad_()"]

net = T.nn.Sequential(T.nn.Linear(2, 6), T.nn.Tanh(), T.nn.Linear(6, 1))
xt = T.rand(10, 2)  # guilty
u = net(xt)
grads = T.autograd.grad(u.sum(), xt, create_graph=True)[0]
residual = (grads[:, 0] + grads[:, 1]).pow(2).mean()
residual.backward()
