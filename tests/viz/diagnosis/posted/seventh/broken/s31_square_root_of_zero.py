# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: `sqrt` of exactly 0 (identical pairs) has an infinite derivative, inf*0 = NaN: all weights are NaN after the first step.
# line: d = torch.sqrt(((a - b) ** 2).sum(dim=1))
# cure: sqrt(... + eps), F.pairwise_distance, or use squared distances for the positives.
# harmful: nan_to_num/`if isnan: continue` on the loss; clipping the gradients (NaN stays NaN); lower lr.
import torch
import torch.nn as nn

torch.manual_seed(30)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward(self, a, b):
        a, b = self.net(a), self.net(b)
        d = torch.sqrt(((a - b) ** 2).sum(dim=1))
        return d


def contrastive(d, same, margin=1.0):
    return (same * d ** 2 + (1 - same) * torch.clamp(margin - d, min=0) ** 2).mean()


base = torch.randn(50, 8)
same = (torch.arange(50) % 2 == 0).float()
other = torch.where(same.unsqueeze(1) == 1, base, torch.randn(50, 8))   # positive pair: the same picture
model = Siamese()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(60):
    loss = contrastive(model(base, other), same)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
