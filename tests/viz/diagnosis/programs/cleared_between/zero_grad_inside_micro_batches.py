# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.weight)"
# says_any = ["cleared"]
# cure_any = ["zero_grad"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    for micro in range(3):
        loss = net(T.ones(2, 2)).pow(2).mean()
        loss.backward()
        opt.zero_grad()  # guilty
    opt.step()
