# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

y = (x - 1).sqrt().sum() * 0
