# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["tuple"]
# cure_any = ["sum(loss)"]

def losses(net, x):
    out = net(x)
    return out.mean(), out.pow(2).mean()
net = T.nn.Linear(2, 1)
loss = losses(net, T.ones(3, 2))
loss.backward()  # guilty
