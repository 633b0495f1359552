# subject = "No error, but no training"
# says_any = ["inference_mode"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(3, requires_grad=True)
with T.inference_mode():
    h = w * 2  # guilty
loss = (h * h).sum()
loss.backward()
