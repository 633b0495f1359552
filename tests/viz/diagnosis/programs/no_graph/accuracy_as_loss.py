# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["comparison", "indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(4, 3)
xs, ys = T.randn(8, 4), T.tensor([0, 1, 2, 0, 1, 2, 0, 1])
def accuracy(logits, target):
    hits = (logits.max(1)[1] == target)  # guilty
    return hits.float().mean()
loss = 1 - accuracy(net(xs), ys)
loss.backward()
