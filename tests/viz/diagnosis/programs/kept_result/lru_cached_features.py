# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["earlier"]
# cure_any = ["anew", "cache"]
# never = ["loss.requires_grad_()"]

import functools
net = T.nn.Linear(2, 2)
data = [T.ones(1, 2), T.zeros(1, 2)]

@functools.lru_cache(None)
def features(i):
    return T.tanh(net(data[i]))  # guilty

head = T.nn.Linear(2, 1)
opt = T.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for epoch in range(2):
    for i in range(2):
        loss = head(features(i)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
