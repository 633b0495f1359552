# subject = "Own context managers that turn recording off"

with T.no_grad():
    with contextlib.suppress(ValueError):
        y = (x * 2).sum()
y.backward()
