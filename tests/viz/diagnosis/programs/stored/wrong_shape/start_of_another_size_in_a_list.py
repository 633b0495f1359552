# subject = "Refused calls"

T.autograd.backward(tensors=[w * 2], grad_tensors=[T.ones(3)])
