emb = nn.Linear(4, 3)
opt = optim.SGD(emb.parameters(), lr=0.01)

def train_step():
    a, p, n = (emb(x), emb(x), emb(x + 100))
    loss = F.relu((a - p).pow(2).sum(1) - (a - n).pow(2).sum(1) + 0.1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
