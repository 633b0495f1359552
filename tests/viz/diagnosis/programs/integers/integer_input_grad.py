# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers"]
# cure_any = ["float"]

x = T.arange(4)
x.requires_grad = True  # guilty
y = (x * 2).sum()
y.backward()
