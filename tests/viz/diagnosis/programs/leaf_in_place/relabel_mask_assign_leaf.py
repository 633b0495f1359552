# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["clone", "no_grad"]

logits = T.zeros(2, 3, requires_grad=True)
mask = T.tensor([[True, False, False], [False, False, True]])
logits[mask] = float("-inf")  # guilty
loss = -T.log_softmax(logits, 1)[:, 1].mean()
loss.backward()
