# subject = "Modules, helpers, decorators, hooks, caches and states"
# ask = "viz.explain(net.weight)"
# says_any = ["zero"]

net = T.nn.Linear(3, 3)
out = T.round(net(T.ones(2, 3)) * 10) / 10  # guilty
loss = (out - 1).pow(2).mean()
loss.backward()
