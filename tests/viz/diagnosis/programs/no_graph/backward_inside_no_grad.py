# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
with T.no_grad():
    out = net(T.ones(1, 2))  # guilty
    loss = out.mean()
    loss.backward()
