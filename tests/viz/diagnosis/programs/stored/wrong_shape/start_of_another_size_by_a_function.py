# subject = "Refused calls"

y = x * 2
T.autograd.backward(y, grad_tensors=T.ones(3))
