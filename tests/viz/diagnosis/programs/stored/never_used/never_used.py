# subject = "Missing gradients"
# ask = "viz.explain(x)"

(w * 2).sum().backward()
