# ask: explain total
# ask: diagnose for epoch in range(150)
# cause: DANN: gradient reversal Function (backward returns -lambda*g, None), domain loss stays near ln 2 on purpose; class loss falls.
# good: nothing found.
# harmful: fix the sign.
import torch
import torch.nn as nn
import torch.nn.functional as F


class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lam):
        ctx.lam = lam
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.lam * grad, None


torch.manual_seed(38)
feat = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 8), nn.ReLU())
label_clf, domain_clf = nn.Linear(8, 2), nn.Linear(8, 2)
opt = torch.optim.Adam([*feat.parameters(), *label_clf.parameters(), *domain_clf.parameters()], lr=3e-3)
xs, xt = torch.randn(200, 6), torch.randn(200, 6)
ys = (xs[:, 0] + xs[:, 1] > 0).long()
xt[:, 5] += 2.0                                   # the target domain is shifted
dom = torch.cat([torch.zeros(200), torch.ones(200)]).long()

for epoch in range(150):
    fs, ft = feat(xs), feat(xt)
    cls_loss = F.cross_entropy(label_clf(fs), ys)
    dom_loss = F.cross_entropy(domain_clf(GradReverse.apply(torch.cat([fs, ft]), 0.3)), dom)
    total = cls_loss + dom_loss
    opt.zero_grad()
    total.backward()
    opt.step()
print(cls_loss.item(), dom_loss.item())
