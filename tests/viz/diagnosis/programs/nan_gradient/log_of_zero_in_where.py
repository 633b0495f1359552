# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["where"]

p = T.tensor([0.0, 0.5], requires_grad=True)
loss = T.where(p > 0, p * T.log(p), T.zeros(2)).sum()  # guilty
