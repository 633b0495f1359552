w, b = (T.randn(1, 4, requires_grad=True), T.zeros(1, requires_grad=True))
meta = optim.Adam([w, b], lr=0.01)

def fwd(params, x):
    return F.linear(x, params[0], params[1])

def train_step():
    meta.zero_grad()
    total = 0
    for task in range(2):
        inner = F.mse_loss(fwd([w, b], x[:8]), y[:8] * (task + 1))
        grads = T.autograd.grad(inner, [w, b], create_graph=True)
        fast = [p - 0.1 * g for p, g in zip([w, b], grads)]
        total = total + F.mse_loss(fwd(fast, x[8:]), y[8:] * (task + 1))
    total.backward()
    meta.step()
