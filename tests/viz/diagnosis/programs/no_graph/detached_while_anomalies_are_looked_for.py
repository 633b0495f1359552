# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["detach"]
# cure_any = ["detach()"]
# never = ["no_grad"]

w = T.ones(2, requires_grad=True)
with T.autograd.set_detect_anomaly(True):
    y = w.detach() * 2  # guilty
    loss = y.sum()
loss.backward()
