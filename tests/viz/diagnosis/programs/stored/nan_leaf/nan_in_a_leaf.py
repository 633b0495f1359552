# subject = "Values that are not finite"
# ask = "viz.explain(y, nan=True)"

z = T.tensor([float('nan'), 1.0])
y = (x * z * w).sum()
