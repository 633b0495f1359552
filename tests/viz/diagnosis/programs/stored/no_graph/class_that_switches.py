# subject = "Own context managers that turn recording off"

class Quiet:
    def __enter__(self):
        T.set_grad_enabled(False)
    def __exit__(self, *error):
        T.set_grad_enabled(True)
quiet = Quiet()

with quiet:
    y = (x * 2).sum()
y.backward()
