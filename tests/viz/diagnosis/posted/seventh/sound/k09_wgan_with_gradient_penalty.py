# ask: explain loss
# ask: diagnose for it in range(150)
# cause: WGAN-GP, autograd.grad(create_graph=True), critic loss incl. penalty; critic takes 3 steps per G step; metric: fake mean approaches.
# good: nothing found.
# harmful: detach/`create_graph=False`.
import torch
import torch.nn as nn

torch.manual_seed(8)
G = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
C = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=5e-3, betas=(0.0, 0.9))
c_opt = torch.optim.Adam(C.parameters(), lr=1e-2, betas=(0.0, 0.9))
center = torch.tensor([2.0, 1.0])
dist = []


def gradient_penalty(real, fake):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grads = torch.autograd.grad(C(mix).sum(), mix, create_graph=True)[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


for it in range(150):
    for _ in range(3):
        real = center + 0.3 * torch.randn(64, 2)
        with torch.no_grad():
            fake = G(torch.randn(64, 2))
        c_loss = C(fake).mean() - C(real).mean() + 1.0 * gradient_penalty(real, fake)
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()
    fake = G(torch.randn(64, 2))
    loss = -C(fake).mean()
    g_opt.zero_grad()
    loss.backward()
    g_opt.step()
    dist.append((fake.mean(0) - center).norm().item())
print(dist[0], dist[-1])
