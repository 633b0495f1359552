# says_any = ["in place"]
# cure_any = ["clone", "after backward"]

v = T.ones(3, requires_grad=True)
u = v * 2
n = u.norm()
u /= n  # guilty
u.sum().backward()
