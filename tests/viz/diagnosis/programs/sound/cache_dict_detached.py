net = T.nn.Linear(2, 2)
CACHE = {}
for t in range(3):
    out = T.tanh(net(T.ones(1, 2)) + CACHE.get("h", T.zeros(1, 2)))
    CACHE["h"] = out.detach()
    loss = out.sum()
    loss.backward()
