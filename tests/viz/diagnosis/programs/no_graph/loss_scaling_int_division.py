# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["integers"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
out = net(T.ones(4, 2))
loss = (out.sum() // 4).int()  # guilty
loss.backward()
