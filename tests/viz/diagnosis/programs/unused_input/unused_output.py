# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["loss", "not"]
# cure_any = ["allow_unused"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 2)
w = T.ones(2, requires_grad=True)
out = net(T.ones(1, 2))
loss = out.sum()
g = T.autograd.grad(loss, [w])
