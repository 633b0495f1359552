# subject = "The history ended before the loss"
# says_any = ["requires grad", "requires_grad"]
# never = ["loss.requires_grad_()"]
# [repair]
# old = "T.randn(3)"
# new = "T.randn(3, requires_grad=True)"

w = T.randn(3)  # guilty
x = T.ones(3)
loss = (w * x).sum()
loss.backward()
