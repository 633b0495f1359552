# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["lam.detach()"]
# never = ["retain_graph=True"]

x = T.tensor([1.0, 2.0], requires_grad=True)
lam = T.tensor(0.0)
opt = T.optim.SGD([x], lr=0.1)
for it in range(3):
    h = x.sum() - 1
    L = x.pow(2).sum() + lam * h
    opt.zero_grad()
    L.backward()
    opt.step()
    lam = lam + 0.5 * h  # guilty
