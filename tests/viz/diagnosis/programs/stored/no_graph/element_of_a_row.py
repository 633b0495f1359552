# subject = "Functions within functions"

pair = (x * 2, x.detach())
y = pair[1].sum()
y.backward()
