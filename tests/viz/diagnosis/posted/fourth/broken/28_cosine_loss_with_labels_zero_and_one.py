# question: CosineEmbeddingLoss pulls similar pairs together but ignores the different ones.
# ask: explain loss
# ask: diagnose step
# cause: cosine_embedding_loss wants 1 and -1; pairs with the label 0 add nothing
# line: same = torch.randint(0, 2, (30,)).float() || loss = F.cosine_embedding_loss(net(a), net(b), same, margin=0.2)
# cure: 2 * same - 1
# harmful: larger margin alone
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(28)
net = nn.Sequential(nn.Linear(6, 10), nn.Tanh(), nn.Linear(10, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
same = torch.randint(0, 2, (30,)).float()
a = torch.randn(30, 6)
b = torch.where(same[:, None] > 0, a + 0.2 * torch.randn(30, 6), torch.randn(30, 6))


def step():
    opt.zero_grad()
    loss = F.cosine_embedding_loss(net(a), net(b), same, margin=0.2)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
