# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["turn"]
# cure_any = ["detach()"]
# never = ["retain_graph=True"]

q = T.tensor(0.1, requires_grad=True)
r = T.tensor(1.0, requires_grad=True)
opt = T.optim.SGD([q, r], lr=0.01)
mean, var = T.tensor(0.0), T.tensor(1.0)
for z in [1.0, 1.2, 0.9]:
    var = var + q * q
    gain = var / (var + r * r)
    mean = mean + gain * (z - mean)
    var = (1 - gain) * var  # guilty
    loss = (mean - z) ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
