# subject = "Parameters and the optimizer"
# says_all = ["`net.head.weight`"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(T.relu(self.body(x)))

net = Net()
opt = optim.Adam(net.parameters(), lr=0.01)
net.head = nn.Linear(8, 3)

with viz.diagnose() as report:
    for epoch in range(5):
        opt.zero_grad()
        loss = F.cross_entropy(net(x), classes)
        loss.backward()
        opt.step()
