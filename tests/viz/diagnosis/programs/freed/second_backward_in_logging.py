# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["earlier", "again"]
# cure_any = ["retain_graph=true", "compute"]

net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
def grad_norm(loss, params):
    grads = T.autograd.grad(loss, params)  # guilty
    return sum(g.norm() for g in grads)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    loss = net(T.ones(3, 2)).mean()
    norm = grad_norm(loss, list(net.parameters()))
    opt.zero_grad()
    loss.backward()
    opt.step()
