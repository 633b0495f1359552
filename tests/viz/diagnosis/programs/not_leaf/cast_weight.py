# ask = "viz.explain(w)"
# says_any = ["not a leaf"]
# cure_any = ["requires_grad_() last"]

w = T.ones(3, requires_grad=True).double()  # guilty
loss = (w * w).sum()
loss.backward()
