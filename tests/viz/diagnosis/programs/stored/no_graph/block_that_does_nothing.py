# subject = "Own context managers that turn recording off"

@contextlib.contextmanager
def loudly():
    yield
with loudly():
    y = (x * 2).detach().sum()
y.backward()
