# subject = "Refused calls"

T.autograd.grad(outputs=x.detach().sum(), inputs=x)
