# subject = "Functions within functions"

def loss():
    v = T.ones(2)
    v.requires_grad_()
    return (v * 2).detach().sum()
y = loss()
y.backward()
