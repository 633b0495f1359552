# question: Fine-tuning: after freezing the pretrained net I get 'does not require grad'.
# ask: explain error
# cause: the loop freezes all parameters, the new head too, so nothing requires grad
# line: p.requires_grad = False
# cure: freeze the body only, or unfreeze the head
# harmful: requires_grad on the loss
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(16)
body, head = nn.Linear(4, 8), nn.Linear(8, 3)
model = nn.Sequential(body, nn.ReLU(), head)
for p in model.parameters():
    p.requires_grad = False
x, y = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
loss = F.cross_entropy(model(x), y)
loss.backward()
