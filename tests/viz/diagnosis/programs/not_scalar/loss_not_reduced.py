# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["one number", "single number"]
# cure_any = ["mean()"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for x in [T.ones(3, 2), T.zeros(3, 2)]:
    loss = (net(x) - 1).abs()
    opt.zero_grad()
    loss.backward()  # guilty
    opt.step()
