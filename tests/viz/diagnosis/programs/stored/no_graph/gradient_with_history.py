# subject = "Gradients of gradients"

y = (x**3).sum()
y.backward(create_graph=True)
z = x.grad.detach().sum()
z.backward()
