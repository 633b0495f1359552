# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["where"]

x = T.tensor([0.0, 4.0], requires_grad=True)
inv = T.where(x > 0, x.rsqrt(), T.zeros(2))  # guilty
loss = inv.sum()
