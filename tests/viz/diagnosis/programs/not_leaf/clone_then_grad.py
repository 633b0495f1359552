# ask = "viz.explain(v)"
# says_any = ["not a leaf"]
# cure_any = ["retain_grad"]

w = T.ones(3, requires_grad=True)
v = w.clone()  # guilty
loss = (v * v).sum()
loss.backward()
