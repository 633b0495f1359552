# question: I predict star ratings 1 to 5 and round the output; gradients exist but all are zero.
# ask: explain weight
# ask: diagnose step
# cause: round has derivative zero everywhere, so the gradient is cut to zero
# line: stars = torch.round(1 + 4 * torch.sigmoid(rater(review)))
# cure: train on the value before rounding and round only for the evaluation || straight-through estimator
# harmful: raise the learning rate
import torch
from torch import nn

torch.manual_seed(23)
rater = nn.Linear(6, 1)
weight = rater.weight
review = torch.randn(40, 6)
truth = torch.round(3 + review[:, :1]).clamp(1, 5)
opt = torch.optim.Adam(rater.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    stars = torch.round(1 + 4 * torch.sigmoid(rater(review)))
    loss = (stars - truth).abs().mean()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
