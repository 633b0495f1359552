# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

layers = [T.randn(2, 3, requires_grad=True), T.randn(3, 1, requires_grad=True)]
x = T.ones(4, 2)
for i in range(2):
    loss = (T.tanh(x @ layers[0]) @ layers[1]).pow(2).mean()
    loss.backward()
    for w in layers:
        w -= 0.1 * w.grad  # guilty
        w.grad.zero_()
