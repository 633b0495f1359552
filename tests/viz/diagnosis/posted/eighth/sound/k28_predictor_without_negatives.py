# ask: explain loss
# ask: diagnose for step in range(300)
# cause: sound; what looks suspicious and is meant: an untouched copy that follows.
# good: nothing found.
# harmful: any claim of a fault.
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(27)
online = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
predict = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
target = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.Adam([*online.parameters(), *predict.parameters()], lr=2e-3)
data = torch.randn(300, 10)
for step in range(300):
    x = data[torch.randint(0, 300, (64,))]
    u, v = x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)
    loss = 0
    for a, b in ((u, v), (v, u)):
        p, z = predict(online(a)), target(b).detach()
        loss = loss + 2 - 2 * F.cosine_similarity(p, z, dim=1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for t, o in zip(target.parameters(), online.parameters()):
            t.lerp_(o, 0.02)
code = F.normalize(online(data), dim=1)
print("loss", loss.item(), "spread", code.std(0).mean().item())
