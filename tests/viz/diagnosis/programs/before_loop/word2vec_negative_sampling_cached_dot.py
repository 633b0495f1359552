# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["into the loop"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

emb = T.nn.Embedding(6, 3)
ctx = T.nn.Embedding(6, 3)
opt = T.optim.SGD([*emb.parameters(), *ctx.parameters()], lr=0.1)
center = emb(T.tensor([0, 1]))  # guilty
for word in range(2, 5):
    score = (center * ctx(T.tensor([word, word]))).sum(1)
    loss = -T.log(T.sigmoid(score)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
