# question: One side of my two-view loss is detached on purpose.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(28)
enc = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 8))
pred = nn.Linear(8, 8)
opt = torch.optim.SGD([*enc.parameters(), *pred.parameters()], lr=0.3)
base = torch.randn(48, 6)


def step():
    z1, z2 = (enc(base + 0.1 * torch.randn_like(base)) for _ in range(2))
    loss = -(F.cosine_similarity(pred(z1), z2.detach()).mean() + F.cosine_similarity(pred(z2), z1.detach()).mean()) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
