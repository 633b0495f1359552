# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.weight)"
# says_any = ["indices"]

net = T.nn.Linear(2, 2)
x = T.ones(1, 2)
pred = net(x)
best = pred.max(1)[1].float()  # guilty
loss = T.nn.functional.mse_loss(best, T.ones(1))
loss.requires_grad = True
loss.backward()
net.weight.grad
