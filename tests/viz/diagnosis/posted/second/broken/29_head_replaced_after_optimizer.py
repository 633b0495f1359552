# question: Transfer learning: I swapped the last layer for my 3 classes and it stays random during training.
# ask: explain head_w
# ask: diagnose step
# cause: the new head is put in after the optimizer was made; the optimizer holds the old head's parameters
# line: body.fc = nn.Linear(12, 3) || opt = torch.optim.SGD([p for p in body.parameters() if p.requires_grad], lr=0.1)
# cure: replace the head first and build the optimizer after || opt.add_param_group for the new head
# harmful: unfreeze everything
import torch
from torch import nn
import torch.nn.functional as F


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 12), nn.ReLU())
        self.fc = nn.Linear(12, 10)

    def forward(self, x):
        return self.fc(self.features(x))


torch.manual_seed(29)
body = Backbone()
for p in body.features.parameters():
    p.requires_grad = False
opt = torch.optim.SGD([p for p in body.parameters() if p.requires_grad], lr=0.1)
body.fc = nn.Linear(12, 3)
head_w = body.fc.weight
x = torch.randn(45, 6)
y = x[:, :3].argmax(1)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(body(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
