emb = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = optim.Adam(emb.parameters(), lr=0.01)

def train_step():
    a, b = (emb(x), emb(x + T.randn(16, 4)))
    same = (T.arange(16) % 2).float()
    d = (a - b).pow(2).sum(1).add(1e-06).sqrt()
    loss = (same * d.pow(2) + (1 - same) * F.relu(1.0 - d).pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
