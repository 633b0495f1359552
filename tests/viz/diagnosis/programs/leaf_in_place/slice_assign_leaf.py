# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["leaf"]
# cure_any = ["clone", "no_grad"]

table = T.zeros(3, 2, requires_grad=True)
for i in range(3):
    table[i] = T.ones(2) * i  # guilty
