# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["best"]
# never = ["retain_graph=True"]

import math
net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
best = None
for i in range(3):
    loss = net(T.randn(4, 2)).pow(2).mean()
    best = loss if best is None else T.minimum(best, loss)  # guilty
    opt.zero_grad()
    best.backward()
    opt.step()
