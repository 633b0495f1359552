# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["deepcopy"]
# cure_any = ["detach"]

import copy
global_net = T.nn.Linear(2, 1)
def local(net, x):
    net = copy.deepcopy(net)
    out = net(x).mean()
    return net, out
clients = [local(global_net, T.ones(1, 2) * i) for i in range(2)]
history = {"loss": [c[1] for c in clients]}
snapshot = copy.deepcopy(history)  # guilty
