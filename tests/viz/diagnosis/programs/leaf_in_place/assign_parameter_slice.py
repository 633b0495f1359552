# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

lin = T.nn.Linear(3, 2)
lin.weight[0] = T.zeros(3)  # guilty
loss = lin(T.ones(1, 3)).sum()
loss.backward()
