# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["before the loop"]
# cure_any = ["into the loop", "inside", "detach"]
# never = ["retain_graph=True"]
# [repair]
# old = "head(scaled)"
# new = "head(scaled.detach())"

emb, head = T.nn.Embedding(4, 2), T.nn.Linear(2, 1)
opt = T.optim.SGD([*emb.parameters(), *head.parameters()], lr=0.1)
vectors = emb(T.tensor([0, 1]))  # guilty
scaled = vectors * vectors
for epoch in range(2):
    loss = head(scaled).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
