# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["list"]
# cure_any = ["sum", "stack"]

net = T.nn.Linear(2, 1)
losses = []
for i in range(2):
    losses.append(net(T.ones(1, 2)).sum())
losses.backward()  # guilty
