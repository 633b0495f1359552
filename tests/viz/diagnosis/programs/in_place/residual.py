# subject = "Something was changed in place"
# says_any = ["in place"]
# cure_any = ["clone", "out = out + x"]

class Block(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = T.nn.Linear(3, 3)

    def forward(self, x):
        out = T.sigmoid(self.a(x))
        out += x  # guilty
        return out

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = T.nn.Sequential(Block(), Block())

    def forward(self, x):
        return self.blocks(x).mean()

net = Net()
loss = net(T.ones(2, 3))
loss.backward()
