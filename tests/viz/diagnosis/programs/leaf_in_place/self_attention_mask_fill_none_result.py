# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad", "clone"]

scores = T.randn(2, 2, requires_grad=True)
mask = T.tensor([[True, False], [False, True]])
scores.masked_fill_(mask, -1e9)  # guilty
loss = T.softmax(scores, -1).sum()
loss.backward()
