# subject = "Own context managers that turn recording off"

class Quiet(T.no_grad):
    pass
quiet = Quiet()

with quiet:
    y = (x * 2).sum()
y.backward()
