# subject = "Functions within functions"

h = T.ones(2)
def step():
    global h
    out = h.detach() * 2
    h = x * 1
    return out
y = step().sum()
y.backward()
