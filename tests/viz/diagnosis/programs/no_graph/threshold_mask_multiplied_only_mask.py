# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.randn(5, requires_grad=True)
mask = (w.abs() > 0.5).float()  # guilty
sparsity = mask.mean()
sparsity.backward()
