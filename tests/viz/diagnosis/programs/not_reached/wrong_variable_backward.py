# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.weight, total)"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    pred = net(T.ones(4, 2))
    loss = (pred - 1).pow(2).mean()
    loss_value = loss.item()  # guilty
    total = T.tensor(loss_value, requires_grad=True)
    opt.zero_grad()
    total.backward()
    opt.step()
