# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["g.requires_grad_()"]

x = T.tensor(2.0, requires_grad=True)
y = x ** 3
y.backward(retain_graph=True)  # guilty
g = x.grad
g.backward()
