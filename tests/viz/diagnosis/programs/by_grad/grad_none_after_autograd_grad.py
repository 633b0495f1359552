# says_any = ["w.grad is none"]

w = T.ones(2, requires_grad=True)
loss = (w * w).sum()
g = T.autograd.grad(loss, w)
w.grad.zero_()  # guilty
