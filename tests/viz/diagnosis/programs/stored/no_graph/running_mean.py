# subject = "Numbers that an object keeps"

class Meter:
    def __init__(self):
        self.mean = 0.0
    def add(self, loss):
        self.mean = self.mean * 0.9 + loss.item() * 0.1
meter = Meter()
meter.add((x * 2).sum())
y = T.tensor(meter.mean)
y.backward()
