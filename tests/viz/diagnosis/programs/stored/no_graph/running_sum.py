# subject = "Numbers that an object keeps"

class Meter:
    def __init__(self):
        self.total = None
    def add(self, loss):
        self.total = loss.detach() if self.total is None else self.total + loss.detach()
meter = Meter()
meter.add((x * 2).sum())
y = meter.total * 1
y.backward()
