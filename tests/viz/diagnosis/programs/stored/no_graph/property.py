# subject = "Numbers that an object keeps"

class Model:
    @property
    def scaled(self):
        return (x * 2).detach()
y = Model().scaled.sum()
y.backward()
