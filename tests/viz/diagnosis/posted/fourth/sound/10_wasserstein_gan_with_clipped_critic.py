# question: The critic's weights are clipped under no_grad, its loss is negative by design.
# ask: explain g_loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)
gen, critic = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt_g = torch.optim.RMSprop(gen.parameters(), lr=1e-2)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=1e-2)
real = torch.randn(40, 2) + 2


def step():
    for _ in range(2):
        fake = gen(torch.randn(40, 2)).detach()
        c_loss = critic(fake).mean() - critic(real).mean()
        opt_c.zero_grad()
        c_loss.backward()
        opt_c.step()
        with torch.no_grad():
            for p in critic.parameters():
                p.clamp_(-0.1, 0.1)
    g_loss = -critic(gen(torch.randn(40, 2))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    return g_loss

for _ in range(10):
    g_loss = step()
