# ask: explain error
# ask: diagnose for i in range(50)
# cause: Normal(...).sample() draws without a graph; mu and log_sigma get no gradient and the loss has no grad_fn.
# line: z = Normal(mu, log_sigma.exp()).sample()
# good: sample() cuts the graph; use rsample().
# harmful: loss.requires_grad_(True).
import torch
from torch.distributions import Normal
torch.manual_seed(5)
mu = torch.zeros(3, requires_grad=True)
log_sigma = torch.zeros(3, requires_grad=True)
opt = torch.optim.Adam([mu, log_sigma], lr=0.05)
goal = torch.tensor([1.0, -2.0, 0.5])
for i in range(50):
    z = Normal(mu, log_sigma.exp()).sample()
    loss = ((z - goal) ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
