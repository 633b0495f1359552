# subject = "Refused calls"

T.autograd.grad((x * w).sum(), [T.ones(2)])
