# subject = "The history ended before the loss"
# says_any = ["long"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.tensor([1.5, 2.5], requires_grad=True)
steps = (w * 10).long()  # guilty
loss = (steps.float() / 10).sum()
loss.backward()
