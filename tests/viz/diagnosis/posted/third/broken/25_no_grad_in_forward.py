# question: My feature extractor has no gradients, I copied its forward from the evaluation script.
# ask: explain f_w
# ask: diagnose step
# cause: the forward of the extractor runs under torch.no_grad()
# line: with torch.no_grad():
# cure: remove no_grad from forward
# harmful: requires_grad on the features
import torch
from torch import nn
import torch.nn.functional as F

class Extractor(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 6)

    def forward(self, x):
        with torch.no_grad():
            return torch.relu(self.lin(x))


torch.manual_seed(25)
features, head = Extractor(), nn.Linear(6, 1)
f_w = features.lin.weight
opt = torch.optim.Adam([*features.parameters(), *head.parameters()], lr=0.01)
x, y = torch.randn(12, 4), torch.randn(12, 1)


def step():
    opt.zero_grad()
    loss = F.mse_loss(head(features(x)), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
