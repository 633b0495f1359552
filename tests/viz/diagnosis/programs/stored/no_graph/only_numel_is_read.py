# subject = "Numbers that an object keeps"

y = (T.ones(2) * x.numel()).detach().sum()
y.backward()
