# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["does not require grad"]
# cure_any = ["batch.requires_grad_()"]

net = T.nn.Linear(2, 1)
grads = {}
batch = T.randn(3, 2)  # guilty
batch.register_hook(lambda g: grads.setdefault("x", g))
loss = net(batch).sum()
loss.backward()
