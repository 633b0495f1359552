# subject = "Own context managers that turn recording off"

@contextlib.contextmanager
def quietly():
    T.set_grad_enabled(False)
    yield
    T.set_grad_enabled(True)
with quietly():
    y = (x * 2).sum()
y.backward()
