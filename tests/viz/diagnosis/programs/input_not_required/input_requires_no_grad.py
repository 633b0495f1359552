# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["x does not require grad"]
# cure_any = ["x.requires_grad_()"]

x = T.ones(3)  # guilty
w = T.ones(3, requires_grad=True)
loss = (w * x).sum()
T.autograd.grad(loss, x)
