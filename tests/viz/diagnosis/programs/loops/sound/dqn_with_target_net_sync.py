import random
q = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
target.load_state_dict(q.state_dict())
target.eval()
opt = optim.Adam(q.parameters(), lr=0.001)
memory = [(T.randn(4), i % 2, float(i % 3), T.randn(4)) for i in range(20)]
steps = 0

def optimize():
    global steps
    batch = random.sample(memory, 8)
    s = T.stack([b[0] for b in batch])
    a = T.tensor([[b[1]] for b in batch])
    r = T.tensor([b[2] for b in batch])
    s2 = T.stack([b[3] for b in batch])
    qsa = q(s).gather(1, a).squeeze(1)
    with T.no_grad():
        best = target(s2).max(1)[0]
    loss = F.smooth_l1_loss(qsa, r + 0.99 * best)
    opt.zero_grad()
    loss.backward()
    for p in q.parameters():
        p.grad.data.clamp_(-1, 1)
    opt.step()
    steps += 1
    if steps % 2 == 0:
        target.load_state_dict(q.state_dict())
train_step = optimize
