# subject = "No error, but no training"
# ask = "viz.explain(w)"
# says_any = ["not a leaf"]
# cure_any = ["w.requires_grad_() last"]

w = T.randn(3, requires_grad=True) * 0.01  # guilty
loss = (w * T.ones(3)).pow(2).sum()
loss.backward()
