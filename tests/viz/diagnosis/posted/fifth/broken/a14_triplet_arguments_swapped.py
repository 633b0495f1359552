# ask: explain loss
# ask: diagnose for it in range(120)
# cause: triplet_margin_loss gets (anchor, negative, positive): the positives are pushed away.
# line: loss = F.triplet_margin_loss(emb(anchor), emb(negative), emb(positive))
# good: the order is anchor, positive, negative.
# harmful: asserts an unrelated cause with a cure that leaves it.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(13)
centres = torch.randn(4, 10)
emb = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 8))
opt = torch.optim.Adam(emb.parameters(), lr=1e-3)
def batch(n=64):
    c = torch.randint(0, 4, (n,))
    other = (c + 1 + torch.randint(0, 3, (n,))) % 4
    noise = lambda: 0.3 * torch.randn(n, 10)
    return centres[c] + noise(), centres[c] + noise(), centres[other] + noise()
for it in range(120):
    anchor, positive, negative = batch()
    loss = F.triplet_margin_loss(emb(anchor), emb(negative), emb(positive))
    opt.zero_grad()
    loss.backward()
    opt.step()
a, p, n = batch()
print("loss", loss.item(), "d(pos)", (emb(a) - emb(p)).norm(dim=1).mean().item(), "d(neg)", (emb(a) - emb(n)).norm(dim=1).mean().item())
