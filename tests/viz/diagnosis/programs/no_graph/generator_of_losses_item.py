# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["float", "number"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
def losses():
    for i in range(3):
        yield float(net(T.ones(1, 2) * i).mean())  # guilty
loss = T.tensor(sum(losses()))
loss.backward()
