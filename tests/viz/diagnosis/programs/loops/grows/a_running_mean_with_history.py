# subject = "Kept graphs and cleared gradients"
# says_all = ["`mean`"]

w = T.ones(4, requires_grad=True)
mean = T.zeros(1)

def train_step():
    global mean
    out = (x * w).sum(1)
    mean = 0.9 * mean + 0.1 * out.mean()
    loss = ((out - mean) ** 2).mean()
    w.grad = None
    loss.backward(retain_graph=True)
    w.data -= 0.01 * w.grad
