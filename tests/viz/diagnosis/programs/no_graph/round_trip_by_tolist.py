# subject = "The history ended before the loss"
# says_any = ["tolist()"]
# cure_any = ["leave out .tolist()", "without .tolist()", "leave .tolist() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(3, requires_grad=True)
rows = (w * 2).tolist()  # guilty
loss = T.tensor([r * r for r in rows]).sum()
loss.backward()
