# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sound; what looks suspicious and is meant: a learned temperature.
# good: nothing found.
# harmful: any claim of a fault.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(16)
f = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 16))
logit_scale = nn.Parameter(torch.tensor(1.0))
opt = torch.optim.Adam([*f.parameters(), logit_scale], lr=3e-3)
base = torch.randn(400, 12)
for step in range(200):
    x = base[torch.randint(0, 400, (64,))]
    a = F.normalize(f(x + 0.1 * torch.randn_like(x)), dim=1)
    b = F.normalize(f(x + 0.1 * torch.randn_like(x)), dim=1)
    sim = logit_scale.exp() * a @ b.T
    t = torch.arange(64)
    loss = 0.5 * (F.cross_entropy(sim, t) + F.cross_entropy(sim.T, t))
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "hit", (sim.argmax(1) == t).float().mean().item())
