# says_all = ["fc"]

class Res(nn.Module):

    def __init__(self):
        super().__init__()
        self.conv = nn.Linear(4, 8)
        self.fc = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc(F.relu(self.conv(x)))
model = Res()
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
model.fc = nn.Linear(model.fc.in_features, 3)

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
