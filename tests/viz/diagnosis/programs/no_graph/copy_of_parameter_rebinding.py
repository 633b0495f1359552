# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["no_grad", "new"]
# cure_any = ["w -= "]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "w = w - 0.1 * w.grad"
# new = "w -= 0.1 * w.grad"
# quoted = true

w = T.randn(3, requires_grad=True)
for i in range(2):
    loss = (w * T.ones(3)).pow(2).sum()
    loss.backward()
    with T.no_grad():
        w = w - 0.1 * w.grad  # guilty
