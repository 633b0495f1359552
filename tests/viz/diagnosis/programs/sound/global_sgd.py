w = T.ones(2, requires_grad=True)
def sgd(lr):
    with T.no_grad():
        w.sub_(lr * w.grad)
        w.grad.zero_()
for i in range(2):
    loss = (w * 2).pow(2).sum()
    loss.backward()
    sgd(0.1)
