# subject = "Functions within functions"

import functools
parts = list(map(lambda v: v.detach(), [x, x * 2]))
y = functools.reduce(lambda a, b: a + b, parts).sum()
y.backward()
