# says_all = ["F.relu(self.hidden(x) - 50)", "zero for every input"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x) - 50))

model = Net()
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for i in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
