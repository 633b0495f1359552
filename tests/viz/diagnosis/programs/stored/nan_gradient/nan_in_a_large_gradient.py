# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

large = T.zeros(100, 1000, requires_grad=True)
y = (large.sqrt() * 0).sum()
