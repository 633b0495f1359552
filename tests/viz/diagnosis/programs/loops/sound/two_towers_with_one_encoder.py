class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, a, b):
        return self.encoder(a), self.encoder(b)

model = Towers()
optimizer = optim.Adam(model.parameters(), lr=1e-3)

with viz.diagnose() as report:
    for i in range(3):
        left, right = model(x, x + 0.1)
        loss = F.cross_entropy(left @ right.T, T.arange(16))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
