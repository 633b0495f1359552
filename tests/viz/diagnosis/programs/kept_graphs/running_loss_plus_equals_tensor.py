# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(running_loss)"
# says_any = ["keeps"]
# cure_any = [".item()"]

net = T.nn.Linear(2, 1)
opt = T.optim.SGD(net.parameters(), lr=0.1)
running_loss = 0.0
for i in range(4):
    opt.zero_grad()
    out = net(T.randn(2, 2))
    loss = T.nn.functional.mse_loss(out, T.zeros(2, 1))
    loss.backward()
    opt.step()
    running_loss = running_loss + loss  # guilty
