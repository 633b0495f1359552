# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: the features are computed under inference_mode and then used in training: inference tensors can't be saved for backward.
# line: with torch.inference_mode():
# good: feats is an inference tensor; use no_grad in place of inference_mode, or clone the features outside.
# harmful: train under inference_mode; requires_grad_.
import torch
from torch import nn
torch.manual_seed(10)
backbone = nn.Sequential(nn.Linear(12, 16), nn.ReLU())
head = nn.Linear(16, 3)
data = torch.randn(48, 12)
labels = torch.randint(0, 3, (48,))
backbone.eval()
with torch.inference_mode():
    feats = backbone(data)
opt = torch.optim.Adam(head.parameters(), lr=1e-2)
for epoch in range(5):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(head(feats), labels)
    loss.backward()
    opt.step()
