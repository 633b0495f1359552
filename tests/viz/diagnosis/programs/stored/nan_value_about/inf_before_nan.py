# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

a = (x * 0).log()
y = (a - a).sum()
