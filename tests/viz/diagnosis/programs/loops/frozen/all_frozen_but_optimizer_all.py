# says_all = ["body"]

class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(F.relu(self.body(x)))
net = Net()
for name, p in net.named_parameters():
    if not name.startswith('head'):
        p.requires_grad = False
opt = optim.Adam(net.parameters(), lr=0.001)
with viz.diagnose() as report:
    for i in range(3):
        opt.zero_grad()
        F.cross_entropy(net(x), classes).backward()
        opt.step()
