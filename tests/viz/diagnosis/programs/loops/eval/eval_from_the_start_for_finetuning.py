# says_all = ["Dropout"]

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 3)).eval()
optimizer = optim.AdamW(model.parameters())

def train_step():
    optimizer.zero_grad()
    F.cross_entropy(model(x), classes).backward()
    optimizer.step()
