# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

models = [T.nn.Linear(2, 1) for _ in range(3)]
x = T.ones(4, 2)
losses = list(map(lambda m: m(x).pow(2).mean().item(), models))  # guilty
loss = T.tensor(losses).sum()
loss.backward()
