# subject = "The history ended before the loss"
# says_any = ["set_grad_enabled(false)"]
# cure_any = ["set_grad_enabled(true)"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "set_grad_enabled(False)"
# new = "set_grad_enabled(True)"

T.set_grad_enabled(False)  # guilty
w = T.ones(3, requires_grad=True)
loss = (w * w).sum()
loss.backward()
