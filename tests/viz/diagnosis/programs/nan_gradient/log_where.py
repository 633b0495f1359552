# ask = "viz.explain(loss, nan=True)"
# says_any = ["not taken"]
# cure_any = ["t.where(p == 0, 1.0, p)"]
# [repair]
# old = "T.where(p == 0, T.zeros(2), p.log())"
# new = "T.where(p == 0, T.zeros(2), T.where(p == 0, 1.0, p).log())"
# quoted = true

p = T.tensor([0.0, 0.5], requires_grad=True)
safe = T.where(p == 0, T.zeros(2), p.log())  # guilty
loss = safe.sum()
