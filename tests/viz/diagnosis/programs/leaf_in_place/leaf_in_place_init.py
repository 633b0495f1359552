# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

w = T.zeros(3, requires_grad=True)
w.uniform_(-1, 1)  # guilty
