# subject = "The history ended before the loss"
# says_any = ["float("]
# cure_any = ["t.stack"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = "T.tensor([float(p) for p in parts])"
# new = "T.stack(parts)"

w = T.ones(3, requires_grad=True)
parts = [(w * i).sum() for i in range(3)]
loss = T.tensor([float(p) for p in parts]).sum()  # guilty
loss.backward()
