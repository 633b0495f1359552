# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["not a leaf"]
# cure_any = ["retain_grad()"]

net = T.nn.Linear(2, 1)
w = net.weight * 1.0
loss = net(T.ones(1, 2)).sum() + w.pow(2).sum()
loss.backward()
with T.no_grad():
    net.weight -= 0.1 * w.grad  # guilty
