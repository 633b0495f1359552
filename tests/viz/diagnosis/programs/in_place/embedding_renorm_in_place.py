# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["write `s = s.div("]

emb = T.nn.Embedding(4, 2)
e = emb(T.tensor([0, 1]))
s = T.exp(e)
s.div_(s.sum(1, keepdim=True))  # guilty
loss = s.pow(2).sum()
loss.backward()
