# says_all = ["step"]

model = nn.Linear(4, 3)
optimizer = optim.Adam(model.parameters())

def train_one(xb, yb):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(xb), yb)
    loss.backward()
    optimizer.step()
    return loss.item()
with viz.diagnose() as report:
    for i in range(0, 16, 4):
        train_one(x[i:i + 4], classes[i:i + 4])
        optimizer.step()
