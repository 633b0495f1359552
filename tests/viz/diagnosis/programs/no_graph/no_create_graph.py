# subject = "The history ended before the loss"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["first.requires_grad_()"]
# [repair]
# old = "T.autograd.grad(y, x)"
# new = "T.autograd.grad(y, x, create_graph=True)"

x = T.tensor(3.0, requires_grad=True)
y = x ** 3
(first,) = T.autograd.grad(y, x)  # guilty
second = T.autograd.grad(first, x)
