# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["again"]
# cure_any = ["retain_graph=true", "anew", "again"]

w = T.ones(3, requires_grad=True)
loss = (w.exp() * w).sum()
loss.backward()
print(w.grad)
loss.backward()  # guilty
