# subject = "Functions within functions"

def loss():
    v = T.ones(2)
    v.requires_grad = True
    return (v * 2).detach().sum()
y = loss()
y.backward()
