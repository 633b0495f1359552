# ask: explain loss
# ask: diagnose for i in range(60)
# cause: DANN: a Function that negates the gradient on purpose.
# good: nothing found.
# harmful: remove the minus.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)
    @staticmethod
    def backward(ctx, g):
        return -ctx.lam * g, None
feat = nn.Sequential(nn.Linear(5, 16), nn.ReLU())
cls, dom = nn.Linear(16, 2), nn.Linear(16, 2)
opt = torch.optim.Adam([*feat.parameters(), *cls.parameters(), *dom.parameters()], lr=5e-3)
xs, xt = torch.randn(64, 5), torch.randn(64, 5) + 0.5
ys = (xs[:, 0] > 0).long()
d = torch.cat([torch.zeros(64), torch.ones(64)]).long()
for i in range(60):
    f = feat(torch.cat([xs, xt]))
    loss = F.cross_entropy(cls(f[:64]), ys) + F.cross_entropy(dom(Reverse.apply(f, 0.3)), d)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
