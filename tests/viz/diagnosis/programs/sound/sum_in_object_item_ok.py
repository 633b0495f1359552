class Meter:
    def __init__(self):
        self.total = 0.0
    def add(self, v):
        self.total += v
meter = Meter()
net = T.nn.Linear(2, 1)
for i in range(3):
    loss = net(T.randn(2, 2)).pow(2).mean()
    net.zero_grad()
    loss.backward()
    meter.add(loss.item())
