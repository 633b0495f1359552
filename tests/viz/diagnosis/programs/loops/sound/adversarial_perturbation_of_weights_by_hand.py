w = T.randn(4, 1, requires_grad=True)

def train_step():
    ((x @ w - y) ** 2).mean().backward()
    kept = w.data.clone()
    w.data += 0.01 * w.grad / w.grad.norm()
    ((x @ w - y) ** 2).mean().backward()
    w.data = kept
    with T.no_grad():
        w.sub_(0.01 * w.grad)
    w.grad = None
