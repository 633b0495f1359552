# subject = "No error, but no training"
# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["t.where(x > 0, x,", "second where", "inner where", "another where"]
# [repair]
# old = "T.where(x > 0, T.sqrt(x), T.zeros(2))"
# new = "T.where(x > 0, T.sqrt(T.where(x > 0, x, 1.0)), T.zeros(2))"
# quoted = true

x = T.tensor([0.0, 1.0], requires_grad=True)
y = T.where(x > 0, T.sqrt(x), T.zeros(2))  # guilty
loss = y.sum()
