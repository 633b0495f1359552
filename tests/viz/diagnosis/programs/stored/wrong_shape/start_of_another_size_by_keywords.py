# subject = "Refused calls"

y = x * 2
T.autograd.grad(outputs=y, inputs=x, grad_outputs=T.ones(3))
