# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["integers", "floating"]
# cure_any = ["float"]

y = T.tensor([1, 0, 1], requires_grad=True)  # guilty
