# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["y.requires_grad_()"]

a = T.ones(2, requires_grad=True)
x = (a * 2).sum()
y = (a.detach() * 3).sum()  # guilty
T.autograd.backward([x, y])
