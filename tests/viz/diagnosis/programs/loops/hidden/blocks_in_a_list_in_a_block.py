# says_all = ["ModuleList"]

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = []
        for _ in range(2):
            self.blocks.append(nn.Sequential(nn.Linear(4, 4), nn.Tanh()))

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return x

model = nn.Sequential(Stack(), nn.Linear(4, 1))
optimizer = optim.SGD(model.parameters(), lr=0.1)

with viz.diagnose() as report:
    for epoch in range(3):
        pred = model(x)
        loss = F.mse_loss(pred, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
