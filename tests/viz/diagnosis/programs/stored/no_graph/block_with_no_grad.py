# subject = "Own context managers that turn recording off"

@contextlib.contextmanager
def quietly():
    with T.no_grad():
        yield
with quietly():
    y = (x * 2).sum()
y.backward()
