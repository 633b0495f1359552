# subject = "Missing gradients"
# ask = "viz.explain(y)"

y = x * w
y.sum().backward()
