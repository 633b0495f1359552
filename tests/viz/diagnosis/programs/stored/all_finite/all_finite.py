# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

y = (x * w).sum()
