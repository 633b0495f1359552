# says_all = ["`model.norm.weight`"]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 8)
        self.norm = nn.LayerNorm(8)
        self.fc2 = nn.Linear(8, 1)

    def forward(self, x):
        h = self.fc1(x)
        return self.fc2(F.relu(h))

model = Net()
optimizer = optim.RMSprop(model.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for epoch in range(2):
        for i in range(0, 16, 8):
            optimizer.zero_grad()
            loss = F.mse_loss(model(x[i:i + 8]), y[i:i + 8])
            loss.backward()
            optimizer.step()
