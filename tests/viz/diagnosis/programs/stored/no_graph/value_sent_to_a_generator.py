# subject = "Functions within functions"

def steps():
    got = yield x * 2
    yield got.detach()
g = steps()
next(g)
y = g.send(T.ones(2)).sum()
y.backward()
