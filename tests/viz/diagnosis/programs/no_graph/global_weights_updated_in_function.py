# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["no_grad", "new"]
# cure_any = ["w -= "]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "w = w - lr * w.grad"
# new = "w -= lr * w.grad"
# quoted = true

w = T.ones(2, requires_grad=True)
def sgd(lr):
    global w
    with T.no_grad():
        w = w - lr * w.grad  # guilty
for i in range(2):
    loss = (w * 2).pow(2).sum()
    loss.backward()
    sgd(0.1)
