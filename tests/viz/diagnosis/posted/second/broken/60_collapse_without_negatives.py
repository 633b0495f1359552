# question: Siamese network: the loss goes to zero but all embeddings are the same vector.
# ask: diagnose step
# cause: only positive pairs are in the loss, so mapping all to one point is the best answer (collapse)
# line: loss = (anchor - positive).pow(2).sum(1).mean()
# cure: add negative pairs (contrastive or triplet loss), or a stop-gradient or variance term
# harmful: train longer
import torch
from torch import nn

torch.manual_seed(60)
embed = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.Adam(embed.parameters(), lr=0.03)
base = torch.randn(40, 5)


def step():
    anchor = embed(base)
    positive = embed(base + 0.5 * torch.randn_like(base))
    loss = (anchor - positive).pow(2).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
