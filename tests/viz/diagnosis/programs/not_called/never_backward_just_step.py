# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.weight)"
# says_any = ["backward() has not been called"]
# cure_any = ["loss.backward()"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = net(T.ones(1, 2)).mean()
    opt.step()
