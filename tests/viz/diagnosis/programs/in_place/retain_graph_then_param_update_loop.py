# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["optimizer"]
# cure_any = ["again after"]

net = T.nn.Sequential(T.nn.Linear(2, 3), T.nn.Tanh(), T.nn.Linear(3, 1))
opt = T.optim.SGD(net.parameters(), lr=0.1)
loss = net(T.ones(4, 2)).pow(2).mean()
for i in range(3):
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()  # guilty
