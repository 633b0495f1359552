class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = T.nn.ModuleList([T.nn.Linear(2, 2), T.nn.Linear(2, 1)])

    def forward(self, x):
        for layer in self.layers:
            x = T.tanh(layer(x))
        return x

net = Net()
opt = T.optim.SGD(net.parameters(), lr=0.1)
loss = net(T.ones(3, 2)).mean()
loss.backward()
opt.step()
