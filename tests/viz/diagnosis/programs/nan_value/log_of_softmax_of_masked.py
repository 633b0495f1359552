# subject = "States in globals, classes, closures, caches and queues"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["nan"]

x = T.zeros(2, 2, requires_grad=True)
masked = x.masked_fill(T.tensor([[True, True], [False, False]]), float("-inf"))
p = T.softmax(masked, dim=1)  # guilty
loss = p.sum()
loss.backward()
