# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["numpy", "copies", "require grad"]
# cure_any = ["requires_grad"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.zeros(2, requires_grad=True)
target = T.ones(2)
for step in range(3):
    loss = (w - target).pow(2).sum()
    loss.backward()
    w = T.tensor(w.detach().numpy() - 0.1 * w.grad.numpy())  # guilty
