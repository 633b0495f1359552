# question: My autoencoder's loss is exactly 0 from the first iteration, yet the pictures are noise.
# ask: explain loss
# ask: diagnose step
# cause: the reconstruction is compared with itself, not with the input
# line: loss = F.mse_loss(recon, recon.detach())
# cure: compare with the input: F.mse_loss(recon, x)
# harmful: train longer
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(59)
auto = nn.Sequential(nn.Linear(9, 3), nn.Tanh(), nn.Linear(3, 9))
opt = torch.optim.Adam(auto.parameters(), lr=0.01)
x = torch.randn(30, 9)


def step():
    recon = auto(x)
    loss = F.mse_loss(recon, recon.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(12):
    loss = step()
