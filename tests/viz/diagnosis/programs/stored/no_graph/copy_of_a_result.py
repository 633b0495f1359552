# subject = "Numbers that an object keeps"

y = T.tensor((x * 2).sum())
y.backward()
