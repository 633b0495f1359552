import copy
net = nn.Linear(4, 3)
ema = copy.deepcopy(net)
for p in ema.parameters():
    p.requires_grad_(False)
opt = optim.Adam(net.parameters())

def train_step():
    opt.zero_grad()
    F.cross_entropy(net(x), classes).backward()
    opt.step()
    with T.no_grad():
        for pe, p in zip(ema.parameters(), net.parameters()):
            pe.mul_(0.99).add_(p, alpha=0.01)
