# subject = "Calls that autograd refuses"
# says_any = ["does not require grad", "no gradient"]
# cure_any = ["x.requires_grad_()"]

x = T.ones(3)
x.register_hook(lambda g: g * 2)  # guilty
