# subject = "No error, but no training"
# ask = "viz.explain(w)"
# says_any = ["has not been called"]
# cure_any = ["loss.backward()"]

w = T.ones(3, requires_grad=True)
loss = (w * w).sum()
loss.backward  # guilty
