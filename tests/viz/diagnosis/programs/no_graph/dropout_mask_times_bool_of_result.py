# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.randn(3, requires_grad=True)
keep = T.where(w > 0, T.ones(3), T.zeros(3))  # guilty
loss = (keep * T.tensor([1.0, 2.0, 3.0])).sum()
loss.backward()
