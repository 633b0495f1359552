# subject = "States in globals, classes, closures, caches and queues"
# ask = "viz.explain(h)"
# says_any = ["retain_grad", "not a leaf", "leaf"]
# cure_any = ["retain_grad()"]

x = T.ones(3, requires_grad=True)
h = x * 2
loss = h.pow(2).sum()
loss.backward()
