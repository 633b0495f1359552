# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf", "parameter"]
# cure_any = ["no_grad"]

layer = T.nn.Linear(3, 2)
opt = T.optim.SGD(layer.parameters(), lr=0.1)
for i in range(2):
    out = layer(T.ones(1, 3))
    layer.weight /= layer.weight.norm()  # guilty
    loss = out.sum()
    loss.backward()
    opt.step()
