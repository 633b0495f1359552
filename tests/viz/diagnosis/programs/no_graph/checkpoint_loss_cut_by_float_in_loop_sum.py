# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 1)
loss = 0.0
for x in [T.ones(1, 2), T.zeros(1, 2)]:
    loss = loss + net(x).pow(2).mean().item()  # guilty
T.tensor(loss).backward()
