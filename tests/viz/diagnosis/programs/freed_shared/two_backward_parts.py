# says_any = ["shares"]
# cure_any = ["retain_graph=true", "once"]

x = T.ones(3, requires_grad=True)
y = (x * x).exp()  # guilty
a = y[0]
b = y[1]
a.backward()
b.backward()
