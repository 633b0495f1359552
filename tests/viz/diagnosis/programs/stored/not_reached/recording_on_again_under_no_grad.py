# subject = "Own context managers that turn recording off"
# ask = "viz.explain(x)"

with T.no_grad():
    with T.enable_grad():
        y = (x.detach() * w).sum()
y.backward()
