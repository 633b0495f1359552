# subject = "Functions within functions"

def loss():
    v = T.ones(2)
    v.requires_grad_()
    v.requires_grad_(False)
    return (v * 2).sum()
y = loss()
y.backward()
