# says_any = ["new tensor"]
# cure_any = ["w -= w.grad"]
# never = ["loss.requires_grad_()"]

w = T.ones(2, requires_grad=True)
for i in range(2):
    loss = (w ** 2).sum()
    loss.backward()
    with T.no_grad():
        w.grad *= 0.1
        w = w - w.grad  # guilty
