# subject = "Numbers that an object keeps"

y = (T.zeros_like(x) + 1).detach().sum()
y.backward()
