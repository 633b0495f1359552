class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = T.nn.Linear(3, 2)
        self.seen = []
    def forward(self, x):
        z = T.tanh(self.l(x))
        self.seen.append(z.detach())
        return z + T.stack(self.seen).mean(0)
net = Net()
for i in range(3):
    loss = net(T.randn(1, 3)).pow(2).sum()
    net.zero_grad()
    loss.backward()
