# says_any = ["list"]
# cure_any = ["parameterlist"]

class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.ws = [T.nn.Parameter(T.ones(2))]  # guilty
    def forward(self, x):
        return (self.ws[0] * x).sum()
net = Net()
opt = T.optim.Adam(net.parameters(), lr=0.1)
