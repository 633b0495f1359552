# says_any = ["indices"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

w = T.ones(3, requires_grad=True)
value, index = T.max(w * T.tensor([1.0, 2.0, 3.0]), 0)  # guilty
loss = index.float()
loss.backward()
