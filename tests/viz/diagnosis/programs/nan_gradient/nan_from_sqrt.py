# subject = "No error, but no training"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["inf", "nan"]

x = T.zeros(2, requires_grad=True)
d = (x * x).sum().sqrt()  # guilty
loss = d * 2
