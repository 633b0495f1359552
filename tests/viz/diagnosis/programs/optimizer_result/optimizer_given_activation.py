# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["requires_grad_() last", "detach"]

net = T.nn.Linear(2, 2)
code = net(T.ones(1, 2))  # guilty
opt = T.optim.Adam([code], lr=0.1)
