# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["used up", "generator"]
# cure_any = ["list("]

net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.ReLU(), T.nn.Linear(3, 1))
params = (p for p in net.parameters() if p.requires_grad)  # guilty
n = sum(p.numel() for p in params)  # guilty
opt = T.optim.SGD(params, lr=0.1)
