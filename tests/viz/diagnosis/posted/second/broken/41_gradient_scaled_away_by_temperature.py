# question: My contrastive classifier stays at log(N) loss, cosine similarity over a temperature.
# ask: explain loss
# ask: diagnose step
# cause: the temperature is multiplied the wrong way: cosine scores are divided by 1e5, all scores are the same and the gradient is nearly zero
# line: scores = a @ b.t() / temperature || temperature = 1e5
# cure: use a small temperature (0.05 to 1)
# harmful: divide the loss as well
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(41)
temperature = 1e5
left, right = nn.Linear(6, 4), nn.Linear(6, 4)
opt = torch.optim.SGD(list(left.parameters()) + list(right.parameters()), lr=0.1)
u = torch.randn(16, 6)
v = u + 0.1 * torch.randn(16, 6)


def step():
    a = F.normalize(left(u), dim=1)
    b = F.normalize(right(v), dim=1)
    scores = a @ b.t() / temperature
    loss = F.cross_entropy(scores, torch.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
