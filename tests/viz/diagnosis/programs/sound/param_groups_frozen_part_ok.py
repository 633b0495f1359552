class Net(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = T.nn.Linear(2, 3), T.nn.Linear(3, 1)
        for p in self.body.parameters():
            p.requires_grad = False
    def forward(self, x):
        with T.no_grad():
            h = self.body(x)
        return self.head(h)
net = Net()
opt = T.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for i in range(2):
    loss = net(T.ones(2, 2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
