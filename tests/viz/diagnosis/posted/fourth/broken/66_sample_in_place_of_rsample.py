# question: Policy with a Normal distribution: element 0 of tensors does not require grad.
# ask: explain error
# cause: dist.sample() draws without a gradient; rsample() keeps it
# line: action = dist.sample()
# cure: dist.rsample()
# harmful: action.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(66)
policy = nn.Linear(3, 1)
state = torch.randn(10, 3)
dist = torch.distributions.Normal(policy(state), 0.2)
action = dist.sample()
loss = (action - 1).pow(2).mean()
loss.backward()
