# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["in place"]
# cure_any = ["after backward", "again", "clone"]

net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
x = T.ones(4, 2)
loss = net(x).pow(2).mean()
loss.backward(retain_graph=True)
with T.no_grad():
    for p in net.parameters():
        p.add_(0.05 * p.grad)  # guilty
loss.backward()
