# question: A Normal distribution with rsample.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(8)
enc, dec = nn.Linear(6, 4), nn.Linear(2, 6)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=0.01)
x = torch.randn(20, 6)


def step():
    mu, raw = enc(x).chunk(2, dim=1)
    z = torch.distributions.Normal(mu, F.softplus(raw)).rsample()
    loss = F.mse_loss(dec(z), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(15):
    loss = step()
