# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["leaf"]
# cure_any = ["no_grad", "clone"]

centers = T.zeros(3, 2, requires_grad=True)
net = T.nn.Linear(4, 2)
labels = T.tensor([0, 1, 2, 1])
feats = net(T.randn(4, 4))
loss = (feats - centers[labels]).pow(2).sum()
centers[labels[0]] = feats[0].detach()  # guilty
loss.backward()
