w = T.randn(4, 1, requires_grad=True)
b = T.zeros(1, requires_grad=True)

def train_step():
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with T.no_grad():
        w.sub_(0.1 * w.grad)
        b.sub_(0.1 * b.grad)
    w.grad = b.grad = None
