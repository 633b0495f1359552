# subject = "Something was changed in place"
# says_any = ["leaf"]
# cure_any = ["no_grad"]

w = T.ones(3, requires_grad=True)
loss = (w * w).sum()
loss.backward()
w -= 0.1 * w.grad  # guilty
