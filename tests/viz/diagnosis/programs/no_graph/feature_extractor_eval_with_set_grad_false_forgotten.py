# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turned recording off"]
# cure_any = ["set_grad_enabled(true)"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def extract(net, x):
    prev = True
    T.set_grad_enabled(False)  # guilty
    f = net(x)
    return f
backbone, head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
f = extract(backbone, T.ones(4, 2))
loss = head(f).mean()
loss.backward()
