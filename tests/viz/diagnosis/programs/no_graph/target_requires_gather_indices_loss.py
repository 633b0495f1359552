# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

q = T.nn.Linear(3, 2)
s = T.randn(4, 3)
best_action = q(s).max(1).indices  # guilty
loss = best_action.float().mean()
loss.backward()
