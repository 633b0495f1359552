# ask = "viz.explain(x)"
# says_any = ["does not see"]
# cure_any = ["after backward()"]

x = T.tensor([1.0, 2.0], requires_grad=True)
y = x * x
loss = (y * y).sum()
y.data[0] = 100.0  # guilty
loss.backward()
