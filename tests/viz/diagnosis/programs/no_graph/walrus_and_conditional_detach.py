# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["detach"]
# cure_any = ["leave .detach() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 2)
stop_gradient = True
h = net(T.ones(1, 2))
z = h.detach() if stop_gradient else h  # guilty
loss = (z * 2).sum()
loss.backward()
