# subject = "Numbers that an object keeps"

import operator
number = operator.methodcaller("item")
n = number((x * 2).sum())
y = T.tensor(n)
y.backward()
