# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["t was cut out of xt"]
# cure_any = ["with respect to xt and take its part"]
# never = ["allow_unused"]

net = T.nn.Linear(2, 1)
xt = T.rand(5, 2, requires_grad=True)
t = xt[:, 1:]
u = net(xt)
T.autograd.grad(u.sum(), t)  # guilty
