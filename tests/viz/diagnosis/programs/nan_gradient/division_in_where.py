# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["where"]

x = T.tensor([0.0, 2.0], requires_grad=True)
y = T.where(x != 0, 1 / x, T.zeros(2))  # guilty
loss = y.sum()
