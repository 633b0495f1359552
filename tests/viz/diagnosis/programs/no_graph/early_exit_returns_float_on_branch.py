# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["t.tensor(limit)", "requires grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

def robust(loss, limit):
    if loss > limit:
        return T.tensor(limit)  # guilty
    return loss
w = T.ones(2, requires_grad=True)
loss = robust((w * 10).sum(), 5.0)
loss.backward()
