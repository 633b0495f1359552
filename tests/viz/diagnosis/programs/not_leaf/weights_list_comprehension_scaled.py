# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["not a leaf", "is the result", "result of"]
# cure_any = ["requires_grad_()"]

sizes = [3, 4, 1]
W = [T.randn(m, n, requires_grad=True) * 0.1 for m, n in zip(sizes, sizes[1:])]  # guilty
def f(x):
    for w in W[:-1]:
        x = T.tanh(x @ w)
    return x @ W[-1]
loss = f(T.ones(2, 3)).pow(2).mean()
loss.backward()
with T.no_grad():
    for w in W:
        w -= 0.1 * w.grad
