# subject = "Invalid calls of backward() and autograd.grad()"
# says_any = ["of loss with respect to b", "of x with respect to y", "with respect to b"]
# cure_any = ["allow_unused=true"]

def slope(x, y):
    return T.autograd.grad(x, y)[0]  # guilty

a = T.ones(3, requires_grad=True)
b = T.ones(3, requires_grad=True)
loss = (a * 2).sum()
slope(loss, b)
