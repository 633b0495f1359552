# subject = "The history ended before the loss"
# says_any = ["detach_()"]
# cure_any = ["without", "leave out", "leave .detach_() out"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
# h.detach_()
# '''
# new = ""

w = T.ones(3, requires_grad=True)
h = w * 2
h.detach_()  # guilty
loss = (h * h).sum()
loss.backward()
