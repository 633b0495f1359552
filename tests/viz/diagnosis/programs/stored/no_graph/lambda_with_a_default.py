# subject = "Functions within functions"

y = (lambda v, factor=2.0: (v * factor).detach())(x).sum()
y.backward()
