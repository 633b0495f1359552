# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["parameters()"]
# cure_any = ["parameters()"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net, lr=0.1)  # guilty
