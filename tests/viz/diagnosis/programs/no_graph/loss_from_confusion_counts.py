# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers", "comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(3, 1)
x, y = T.randn(6, 3), T.tensor([1.0, 0, 1, 0, 1, 0])
p = T.sigmoid(net(x)).squeeze(1)
def f1(p, y):
    hard = p.round().bool()  # guilty
    tp = (hard & (y > 0)).float().sum()
    return 2 * tp / (hard.float().sum() + y.sum())
loss = 1 - f1(p, y)
loss.backward()
