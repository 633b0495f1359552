# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["set_grad_enabled"]
# cure_any = ["out of", "turn it on"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def run_epoch(model, data, optimizer=None):
    train = optimizer is not None
    losses = []
    with T.set_grad_enabled(train):  # guilty
        for x in data:
            loss = model(x).pow(2).mean()  # guilty
            losses.append(loss)
    total = T.stack(losses).mean()
    total.backward()
    return total
model = T.nn.Linear(2, 1)
run_epoch(model, [T.ones(1, 2)])
