# subject = "Functions within functions"

y = (lambda v: v.detach() * 2)(x).sum()
y.backward()
