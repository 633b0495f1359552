# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["single number"]
# cure_any = ["sum()", "mean()", "ones_like"]

net = T.nn.Linear(2, 3)
out = net(T.ones(4, 2))
out.backward()  # guilty
