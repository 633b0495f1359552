# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["none"]
# cure_any = ["backward"]

net = T.nn.Linear(2, 1)
loss = net(T.ones(1, 2)).sum()
total = sum(p.grad.pow(2).sum() for p in net.parameters())  # guilty
loss.backward()
