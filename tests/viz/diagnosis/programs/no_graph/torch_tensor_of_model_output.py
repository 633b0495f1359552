# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["tolist"]
# cure_any = ["leave .tolist() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
out = net(T.ones(3, 2))
pred = T.tensor(out.tolist())  # guilty
loss = (pred - 1).pow(2).mean()
loss.backward()
