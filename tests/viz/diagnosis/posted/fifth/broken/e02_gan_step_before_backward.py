# ask: explain error
# ask: diagnose for i in range(5)
# cause: the generator's loss is computed through D before opt_d.step() changes D's weights in place; its backward comes afterwards.
# line: opt_d.step()
# good: opt_d.step() changed D's weights between the forward pass of loss_g and loss_g.backward(); compute loss_g after opt_d.step() (or backward before).
# harmful: clone/deepcopy weights, retain_graph only, or skip opt_d.step.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
netG = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
netD = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(netG.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(netD.parameters(), lr=2e-4)
for i in range(5):
    real = torch.randn(16, 2) + 2
    fake = netG(torch.randn(16, 4))
    loss_d = F.softplus(-netD(real)).mean() + F.softplus(netD(fake.detach())).mean()
    loss_g = F.softplus(-netD(fake)).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
