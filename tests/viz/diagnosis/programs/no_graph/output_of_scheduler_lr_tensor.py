# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

lr = T.tensor(0.1, requires_grad=True)
w = T.nn.Parameter(T.ones(2))
loss = (w * w).sum()
loss.backward()
with T.no_grad():
    w_new = w - lr * w.grad  # guilty
meta = w_new.sum()
meta.backward()
