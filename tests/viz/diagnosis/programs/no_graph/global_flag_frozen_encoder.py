# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["set_grad_enabled"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

TRAIN_ENCODER = False
enc, head = T.nn.Linear(2, 2), T.nn.Linear(2, 1)
def encode(x):
    with T.set_grad_enabled(TRAIN_ENCODER):
        return enc(x)  # guilty
loss = encode(T.ones(1, 2)).sum()
loss.backward()
