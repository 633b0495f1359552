# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["deepcopy", "result"]
# cure_any = ["detach"]

net = T.nn.Linear(2, 1)
slow = [p.clone() for p in net.parameters()]  # guilty
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    away = sum(((p - s) ** 2).sum() for p, s in zip(net.parameters(), slow))
    loss = net(T.ones(1, 2)).sum() + away
    opt.zero_grad()
    loss.backward()
    opt.step()
import copy
saved = copy.deepcopy(slow)  # guilty
