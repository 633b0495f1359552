# subject = "States in globals, classes, closures, caches and queues"
# says_any = ["turn", "earlier", "carries"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]
# [repair]
# old = "CACHE.get(key, T.zeros(1, 2))"
# new = "CACHE.get(key, T.zeros(1, 2)).detach()"
# quoted = true

net = T.nn.Linear(2, 2)
CACHE = {}
def forward(x, key):
    prev = CACHE.get(key, T.zeros(1, 2))  # guilty
    CACHE[key] = T.tanh(net(x) + prev)
    return CACHE[key]
for t in range(3):
    loss = forward(T.ones(1, 2), "a").sum()
    loss.backward()
