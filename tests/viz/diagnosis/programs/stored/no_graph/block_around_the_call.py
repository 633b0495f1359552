# subject = "Own context managers that turn recording off"

@contextlib.contextmanager
def quietly():
    with T.no_grad():
        yield
def run():
    (x * 2).sum().backward()
with quietly():
    run()
