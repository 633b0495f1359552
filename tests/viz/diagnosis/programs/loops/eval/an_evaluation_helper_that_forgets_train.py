# says_all = ["`model`", "BatchNorm1d, Dropout"]

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 3))
optimizer = optim.SGD(model.parameters(), lr=0.1)

def accuracy():
    model.eval()
    with T.no_grad():
        return (model(x).argmax(1) == classes).float().mean().item()

def train_step():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), classes)
    loss.backward()
    optimizer.step()
    accuracy()
