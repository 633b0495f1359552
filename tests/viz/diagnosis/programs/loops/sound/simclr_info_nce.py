enc = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
proj = nn.Linear(8, 4)
opt = optim.SGD([*enc.parameters(), *proj.parameters()], lr=0.1)

def train_step():
    z1 = F.normalize(proj(enc(x + 0.1 * T.randn(16, 4))), dim=1)
    z2 = F.normalize(proj(enc(x + 0.1 * T.randn(16, 4))), dim=1)
    logits = z1 @ z2.t() / 0.1
    loss = F.cross_entropy(logits, T.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
