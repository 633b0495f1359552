trunk, a, b = (nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3))
s = nn.Parameter(T.zeros(2))
opt = optim.Adam([*trunk.parameters(), *a.parameters(), *b.parameters(), s])

def train_step():
    z = F.relu(trunk(x))
    ls = T.stack([F.mse_loss(a(z), y), F.cross_entropy(b(z), classes)])
    loss = (T.exp(-s) * ls + s).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
