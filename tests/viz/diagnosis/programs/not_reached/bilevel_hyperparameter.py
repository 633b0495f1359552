# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(alpha, val)"
# says_any = ["detach", "create_graph"]
# cure_any = ["detach() out", "create_graph=true"]

alpha = T.tensor(0.1, requires_grad=True)
w = T.ones(3, requires_grad=True)
x, y = T.randn(5, 3), T.randn(5)
def train_loss(w, alpha):
    return (x @ w - y).pow(2).mean() + alpha * w.pow(2).sum()
for k in range(2):
    g = T.autograd.grad(train_loss(w, alpha), w)[0]  # guilty
    w = (w - 0.1 * g).detach().requires_grad_()  # guilty
val = (x @ w - y).pow(2).mean()
val.backward()
