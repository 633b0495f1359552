# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place", "changed"]
# cure_any = ["list", "stack", "clone"]

W = T.rand(3, 3, requires_grad=True)
P = T.exp(W)
for i in range(3):
    P[i] = P[i] / P[i].sum()  # guilty
loss = P.diagonal().sum() if False else P[0].sum()
loss.backward()
