# subject = "Calls that autograd refuses"
# says_any = ["list"]
# cure_any = ["modulelist"]
# [repair]
# old = "[T.nn.Linear(2, 2), T.nn.Linear(2, 1)]"
# new = "T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 1)])"

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [T.nn.Linear(2, 2), T.nn.Linear(2, 1)]  # guilty

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

net = Net()
optimizer = T.optim.SGD(net.parameters(), lr=0.1)
