# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn", "optimizer"]
# cure_any = ["avg.detach()", "before that step"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
avg = T.zeros(1, 2)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    avg = 0.9 * avg + 0.1 * net.weight  # guilty
    loss = (net(T.ones(1, 2)) ** 2).sum() + (net.weight * avg).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
