policy = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = optim.Adam(policy.parameters(), lr=0.01)
eps = 1e-08

def run_episode():
    log_probs, rewards = ([], [])
    s = T.randn(4)
    for t in range(5):
        lp = F.log_softmax(policy(s), dim=-1)
        a = int(T.multinomial(lp.exp().detach(), 1).item())
        log_probs.append(lp[a])
        rewards.append(float(a == 0) + 0.1 * t)
        s = T.randn(4)
    return (log_probs, rewards)
with viz.diagnose() as report:
    for ep in range(4):
        log_probs, rewards = run_episode()
        R, returns = (0.0, [])
        for r in rewards[::-1]:
            R = r + 0.9 * R
            returns.insert(0, R)
        returns = T.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + eps)
        loss = T.stack([-lp * r for lp, r in zip(log_probs, returns)]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
