# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

net = T.nn.Linear(2, 2)
def weighted(parts):
    total = sum(p.item() for p in parts)  # guilty
    return T.tensor([p.item() / total for p in parts]).pow(2).sum()  # guilty
out = net(T.ones(3, 2))
loss = weighted([out[:, 0].pow(2).mean(), out[:, 1].pow(2).mean()])
loss.backward()
