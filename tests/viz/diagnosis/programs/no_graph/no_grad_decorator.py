# subject = "The history ended before the loss"
# says_any = ["no_grad"]
# cure_any = ["take the decorator away"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]
# [repair]
# old = '''
# @T.no_grad()
# '''
# new = ""

@T.no_grad()  # guilty
def forward(w, x):
    return (w * x).sum()

w = T.ones(3, requires_grad=True)
loss = forward(w, T.ones(3))
loss.backward()
