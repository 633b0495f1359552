# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["clone", "after backward"]

enc = T.nn.Linear(3, 2)
queue = T.randn(4, 2)
x = T.randn(2, 3)
k = enc(x)
q = enc(x + 0.1)
logits = q @ queue.T
queue[:2] = k.detach()  # guilty
loss = -T.log_softmax(logits, 1)[:, 0].mean()
loss.backward()
