# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["changed"]
# cure_any = ["list", "stack", "clone"]

lin = T.nn.Linear(2, 2)
x = T.randn(4, 2)
edges = [(0, 1), (1, 2), (2, 3)]
h = T.sigmoid(lin(x))
for a, b in edges:
    h[b] += h[a]  # guilty
loss = h.pow(2).sum()
loss.backward()
