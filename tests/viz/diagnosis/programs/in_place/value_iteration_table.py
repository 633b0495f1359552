# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["changed"]
# cure_any = ["list", "stack", "clone"]

theta = T.tensor([0.1, 0.2], requires_grad=True)
V = T.zeros(3)
for s in (1, 0):
    V[s] = theta[s] * V[s + 1] + theta[s] ** 2  # guilty
loss = V[0]
loss.backward()
