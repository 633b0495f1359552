# ask = "viz.explain(loss)"
# says_any = ["required grad then"]
# never = ["loss.requires_grad_()"]

w = T.ones(2, requires_grad=True)
w.requires_grad = False
loss = (w * w).sum()  # guilty
w.requires_grad = True
