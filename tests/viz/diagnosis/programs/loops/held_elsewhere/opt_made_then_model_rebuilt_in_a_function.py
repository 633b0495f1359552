# says_all = ["optimizer"]

def build():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
model = build()
optimizer = optim.Adam(model.parameters())
model = build()
with viz.diagnose() as report:
    for i in range(4):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), classes)
        loss.backward()
        optimizer.step()
