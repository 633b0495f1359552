# subject = "Missing gradients"
# ask = "viz.explain(x)"

(x * w).sum().backward()
x.grad = None
