# subject = "Refused calls"

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = {"one": T.nn.Linear(2, 2)}
net = Net()
optimizer = T.optim.SGD(net.parameters(), lr=0.1)
