# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop", "earlier pass", "freed"]
# cure_any = ["retain_graph=true", "into the loop"]

x = T.randn(3, requires_grad=True)
y = T.tanh(x * 2)  # guilty
rows = []
for i in range(3):
    rows.append(T.autograd.grad(y[i], x)[0])  # guilty
J = T.stack(rows)
