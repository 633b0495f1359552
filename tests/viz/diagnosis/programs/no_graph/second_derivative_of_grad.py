# subject = "The history ended before the loss"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["z.requires_grad_()", "requires_grad_()"]
# [repair]
# old = "y.backward()"
# new = "y.backward(create_graph=True)"

x = T.tensor(2.0, requires_grad=True)
y = x ** 2
y.backward()  # guilty
z = x.grad * 3
z.backward()
