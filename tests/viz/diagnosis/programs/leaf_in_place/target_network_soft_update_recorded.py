# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

q, target = T.nn.Linear(2, 1), T.nn.Linear(2, 1)
opt = T.optim.SGD(q.parameters(), lr=0.1)
for i in range(2):
    loss = (q(T.ones(1, 2)) - target(T.ones(1, 2))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for t, s in zip(target.parameters(), q.parameters()):
        t.mul_(0.9).add_(0.1 * s)  # guilty
