# subject = "Numbers that an object keeps"

y = (T.ones(2) * len(x)).detach().sum()
y.backward()
