# ask: explain g_loss
# ask: diagnose for it in range(60)
# cause: WGAN: several critic steps, weights clamped in place under no_grad on purpose, negative losses.
# good: nothing found.
# harmful: drop the clamp / flip a sign.
import torch
from torch import nn
torch.manual_seed(13)
gen = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
critic = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-3)
opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-3)
for it in range(60):
    for _ in range(3):
        real = torch.randn(32, 1) + 2
        with torch.no_grad():
            fake = gen(torch.randn(32, 2))
        c_loss = critic(fake).mean() - critic(real).mean()
        opt_c.zero_grad()
        c_loss.backward()
        opt_c.step()
        with torch.no_grad():
            for p in critic.parameters():
                p.clamp_(-0.2, 0.2)
    g_loss = -critic(gen(torch.randn(32, 2))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
print("g", g_loss.item(), gen(torch.randn(100, 2)).mean().item())
