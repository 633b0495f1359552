# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

y = ((x - 2).log() * w).sum()
