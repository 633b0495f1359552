# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

y = (w / (x - 1)).sum()
