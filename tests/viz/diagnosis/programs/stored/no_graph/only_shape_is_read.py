# subject = "Numbers that an object keeps"

y = (T.ones(2) * x.shape[0]).detach().sum()
y.backward()
