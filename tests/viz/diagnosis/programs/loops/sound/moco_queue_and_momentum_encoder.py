import copy
q = nn.Linear(4, 3)
k = copy.deepcopy(q)
for p in k.parameters():
    p.requires_grad = False
queue = T.randn(6, 3)
opt = optim.SGD(q.parameters(), lr=0.1)
with viz.diagnose() as report:
    for i in range(4):
        with T.no_grad():
            for a, b in zip(k.parameters(), q.parameters()):
                a.data = a.data * 0.99 + b.data * 0.01
            keys = F.normalize(k(x), dim=1)
        z = F.normalize(q(x), dim=1)
        logits = T.cat([(z * keys).sum(1, keepdim=True), z @ queue.t()], 1)
        loss = F.cross_entropy(logits / 0.2, T.zeros(16).long())
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue = T.cat([queue, keys])[-6:]
