# subject = "The history ended before the loss"
# says_any = ["item()"]
# cure_any = ["without .item()", "leave out .item()", "leave .item() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "T.tensor(loss.item() * 2)"
# new = "loss * 2"

w = T.ones(3, requires_grad=True)
loss = (w * w).sum()
loss = T.tensor(loss.item() * 2)  # guilty
loss.backward()
