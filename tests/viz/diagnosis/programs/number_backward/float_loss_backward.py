# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["number"]
# cure_any = ["leave float() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
def criterion(out):
    return float(((out - 1) ** 2).mean())  # guilty
loss = criterion(net(T.ones(3, 2)))
loss.backward()
