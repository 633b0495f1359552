# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_history", "no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class no_history(T.no_grad):
    pass
W = T.randn(2, 2, requires_grad=True)
u = T.ones(3, 2)
with no_history():
    v = u @ W  # guilty
loss = v.pow(2).sum()
loss.backward()
