# subject = "The history ended before the loss"
# says_any = [".data"]
# cure_any = ["without .data", "leave out .data", "leave .data out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = ".data"
# new = ""

w = T.ones(3, requires_grad=True)
h = (w * 2).data  # guilty
loss = (h ** 2).sum()
loss.backward()
