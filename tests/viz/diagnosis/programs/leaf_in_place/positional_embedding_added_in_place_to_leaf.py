# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

pos = T.nn.Parameter(T.zeros(4, 2))
x = T.randn(4, 2)
pos += x  # guilty
loss = pos.sum()
loss.backward()
