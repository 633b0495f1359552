# ask: explain loss
# ask: diagnose for i in range(10)
# cause: one sequence has length 0, all its attention scores are -inf, softmax gives NaN.
# line: att = torch.softmax(scores, dim=-1)
# good: a row is masked entirely (all -inf) so softmax is NaN; keep at least one entry, a finite fill or drop the row.
# harmful: nan_to_num on the loss; remove the mask altogether.
import torch
from torch import nn
torch.manual_seed(4)
class Pool(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.score = nn.Linear(d, 1)
        self.out = nn.Linear(d, 2)
    def forward(self, x, lengths):
        scores = self.score(x).squeeze(-1)
        mask = torch.arange(x.shape[1])[None] >= lengths[:, None]
        scores = scores.masked_fill(mask, float("-inf"))
        att = torch.softmax(scores, dim=-1)
        return self.out((att.unsqueeze(-1) * x).sum(1))
x = torch.randn(6, 5, 8)
lengths = torch.tensor([5, 3, 0, 2, 4, 1])
y = torch.tensor([0, 1, 0, 1, 0, 1])
model = Pool(8)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(10):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x, lengths), y)
    loss.backward()
    opt.step()
print("loss", loss.item())
