# says_any = ["shape of `y`"]
# cure_any = ["t.ones_like(y)"]
# never = ["`t.autograd`"]

y = T.ones(2, requires_grad=True) * 2
T.autograd.backward(y, grad_tensors=T.ones(3))  # guilty
