# subject = "Calls that autograd refuses"
# says_any = ["w is not a leaf", "no leaf", "not a leaf"]
# cure_any = ["w.requires_grad_()", "requires_grad_() last"]

w = T.randn(3, requires_grad=True) * 0.1  # guilty
optimizer = T.optim.SGD([w], lr=0.1)
