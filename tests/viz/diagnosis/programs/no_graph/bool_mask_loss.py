# says_any = ["comparison"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.tensor([0.2, 0.8], requires_grad=True)
keep = T.gt(w, 0.5)  # guilty
loss = keep.sum().float()
loss.backward()
