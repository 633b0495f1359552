# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(x)"
# says_any = ["through .data"]
# cure_any = ["after backward", "clone"]

net = T.nn.Linear(3, 2)
x = T.ones(1, 3, requires_grad=True)
out = net(x)
net.weight.data *= (net.weight.data.abs() > 0.2).float()  # guilty
loss = out.sum()
loss.backward()
