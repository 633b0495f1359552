# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["does not require grad"]
# cure_any = ["y.requires_grad_()"]

net = T.nn.Linear(2, 1)
x = T.ones(3, 2, requires_grad=True)
y = T.zeros(3, 1)  # guilty
loss = (net(x) - y).pow(2).mean()
gx, gy = T.autograd.grad(loss, [x, y])
