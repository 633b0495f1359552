# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["with respect to b"]
# cure_any = ["allow_unused=true"]

a = T.ones(3, requires_grad=True)
b = T.ones(3, requires_grad=True)
loss = (a * 2).sum()
T.autograd.grad(loss, [a, b])  # guilty
