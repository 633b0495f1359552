# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["item()"]
# cure_any = ["leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def batches(model, xs):
    for x in xs:
        yield model(x).mean().item()  # guilty

m = T.nn.Linear(2, 1)
loss = sum(batches(m, [T.ones(2), T.zeros(2)]))
loss = T.tensor(loss)
loss.backward()
