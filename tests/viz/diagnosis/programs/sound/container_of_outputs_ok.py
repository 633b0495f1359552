class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.t, self.a, self.b = T.nn.Linear(2, 3), T.nn.Linear(3, 1), T.nn.Linear(3, 1)
    def forward(self, x):
        h = T.relu(self.t(x))
        return {"a": self.a(h), "b": self.b(h)}
net = Net()
outs = net(T.ones(2, 2))
losses = {k: v.pow(2).mean() for k, v in outs.items()}
loss = sum(losses.values())
loss.backward()
