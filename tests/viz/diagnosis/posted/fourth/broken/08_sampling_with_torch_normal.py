# question: The encoder of my stochastic autoencoder gets no gradient, the decoder does.
# ask: explain enc.weight
# ask: diagnose step
# cause: torch.normal(mu, std) draws numbers without a gradient to mu and std
# line: z = torch.normal(mu, std)
# cure: mu + std * torch.randn_like(std), or Normal(mu, std).rsample()
# harmful: z.requires_grad_() as the cure
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
enc, dec = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(20, 6)


def step():
    mu, raw = enc(x).chunk(2, dim=1)
    std = F.softplus(raw)
    z = torch.normal(mu, std)
    loss = F.mse_loss(dec(z), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()
