# subject = "Refused calls"

T.autograd.grad((x * 2).sum(), [x, w])
