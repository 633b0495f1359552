# subject = "Gradients of gradients"

v = T.ones(2, requires_grad=True)
y = (v**3).sum()
y.backward(create_graph=True)
z = (v.grad * 2).detach().sum()
v = None
z.backward()
