# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers"]

emb = T.nn.Embedding(5, 3)
idx = T.tensor([1, 2], requires_grad=True)  # guilty
loss = emb(idx).sum()
loss.backward()
