# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

model = T.nn.Linear(3, 2)
def losses(out, y):
    d = {}
    d["mse"] = ((out - y) ** 2).mean().item()  # guilty
    d["l1"] = 0.1
    return d
out = model(T.ones(4, 3))
parts = losses(out, T.zeros(4, 2))
loss = T.tensor(sum(parts.values()))
loss.backward()
