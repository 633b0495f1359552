# subject = "Missing gradients"
# ask = "viz.explain(x, (x.detach() * w).sum())"
