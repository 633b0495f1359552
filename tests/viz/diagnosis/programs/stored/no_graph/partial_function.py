# subject = "Functions within functions"

import functools
def scaled(factor, v):
    return factor * v.detach()
y = functools.partial(scaled, 2.0)(x).sum()
y.backward()
