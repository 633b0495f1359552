# subject = "Functions within functions"

exec("def f(v):\n    return v.detach()")
y = f(x).sum()
y.backward()
