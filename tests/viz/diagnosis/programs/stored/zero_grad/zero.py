# subject = "Missing gradients"
# ask = "viz.explain(x)"

(x * 0 * w).sum().backward()
