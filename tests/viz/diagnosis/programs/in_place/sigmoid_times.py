# says_any = ["in place"]
# cure_any = ["write `g = g * x`", "clone"]

def gate(x):
    g = T.sigmoid(x)
    g *= x  # guilty
    return g
w = T.ones(3, requires_grad=True)
gate(w).sum().backward()
