# says_all = ["fc2"]

class Net(nn.Module):

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.fc2 = nn.Linear(8, 8)
        self.fc3 = nn.Linear(8, 3)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc1(x[:, :4]))
        return self.fc3(x)
net = Net()
opt = optim.SGD(net.parameters(), lr=0.1)

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
