# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(3, 2)
y = T.tensor([0, 1])
pred = net(T.ones(2, 3))
loss = T.abs(pred.long() - y).sum()  # guilty
loss.backward()
