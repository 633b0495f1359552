# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

y = T.where(x > 1, (x - 1).sqrt(), x).sum()
