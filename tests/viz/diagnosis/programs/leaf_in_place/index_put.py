# says_any = ["leaf"]
# cure_any = ["clone", "no_grad"]

emb = T.zeros(4, 2, requires_grad=True)
emb[1] = T.ones(2)  # guilty
emb.sum().backward()
