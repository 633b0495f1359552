body, a, b = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 3)
opt = optim.Adam([*body.parameters(), *a.parameters(), *b.parameters()])

def train_step():
    h = T.relu(body(x))
    losses = [F.mse_loss(a(h), y), F.cross_entropy(b(h), classes)]
    opt.zero_grad()
    sum(losses).backward()
    opt.step()
    return [l.item() for l in losses]
