# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["none"]
# cure_any = ["backward"]

net = T.nn.Linear(2, 1)
loss = net(T.ones(1, 2)).sum()
for p in net.parameters():
    p.grad.mul_(0.5)  # guilty
loss.backward()
