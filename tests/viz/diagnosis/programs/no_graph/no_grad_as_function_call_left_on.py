# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def evaluate(net, x):
    ctx = T.no_grad()
    ctx.__enter__()  # guilty
    return net(x).mean()
net = T.nn.Linear(2, 1)
loss = evaluate(net, T.ones(1, 2))
T.set_grad_enabled(True)
loss.backward()
