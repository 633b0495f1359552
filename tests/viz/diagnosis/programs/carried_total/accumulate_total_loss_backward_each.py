# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["adds up"]
# cure_any = ["once after the loop"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
total = 0
for x in [T.ones(1, 2), T.zeros(1, 2), T.ones(1, 2)]:
    total += net(x).pow(2).mean()  # guilty
    opt.zero_grad()
    total.backward()
