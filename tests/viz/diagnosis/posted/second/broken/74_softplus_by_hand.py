# question: log(1 + exp(x)) works for small x, for x = 120 the gradient is nan.
# ask: explain sigma_raw
# cause: exp overflows to inf, and the gradient is inf/inf
# line: sigma = torch.log(1 + torch.exp(sigma_raw))
# cure: F.softplus(sigma_raw) (or logaddexp)
# harmful: gradient clipping
import torch

sigma_raw = torch.tensor([0.3, 120.0], requires_grad=True)
sigma = torch.log(1 + torch.exp(sigma_raw))
sigma.sum().backward()
