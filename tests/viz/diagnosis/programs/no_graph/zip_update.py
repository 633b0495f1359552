# says_any = ["no_grad"]
# cure_any = ["in place", "-=", "requires_grad_()", "out of"]
# never = ["loss.requires_grad_()"]

ws = [T.ones(2, requires_grad=True), T.ones(2, requires_grad=True)]
for i in range(2):
    loss = sum((w * w).sum() for w in ws)
    grads = T.autograd.grad(loss, ws)
    with T.no_grad():
        ws = [w - 0.1 * g for w, g in zip(ws, grads)]  # guilty
