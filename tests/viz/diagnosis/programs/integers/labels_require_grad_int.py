# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers"]
# cure_any = ["float"]

emb = T.nn.Embedding(4, 2)
tokens = T.tensor([0, 1, 3])
tokens.requires_grad_(True)  # guilty
