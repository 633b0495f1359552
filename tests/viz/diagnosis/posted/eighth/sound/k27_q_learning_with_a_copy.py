# ask: explain loss
# ask: diagnose for t in range(800)
# cause: sound; what looks suspicious and is meant: targets without a gradient.
# good: nothing found.
# harmful: any claim of a fault.
import copy
import random
from collections import deque
import torch
from torch import nn

torch.manual_seed(26)
random.seed(26)
N = 6


def onehot(s):
    return torch.eye(N)[s]


q = nn.Sequential(nn.Linear(N, 32), nn.ReLU(), nn.Linear(32, 2))
ref = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=5e-3)
mem, s = deque(maxlen=2000), 0
for t in range(800):
    a = random.randrange(2) if random.random() < 0.4 else int(q(onehot(s)).argmax())
    s2 = min(s + 1, N - 1) if a == 1 else max(s - 1, 0)
    done = s2 == N - 1
    mem.append((s, a, 1.0 if done else 0.0, s2, float(done)))
    s = 0 if done else s2
    if len(mem) < 64:
        continue
    S, A, R, S2, Dn = map(torch.tensor, zip(*random.sample(mem, 32)))
    with torch.no_grad():
        goal = R + 0.9 * (1 - Dn) * ref(onehot(S2)).max(1).values
    loss = nn.functional.smooth_l1_loss(q(onehot(S)).gather(1, A[:, None]).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if t % 50 == 0:
        ref.load_state_dict(q.state_dict())
print("greedy right", q(torch.eye(N)[:-1]).argmax(1).tolist())
