# question: Segmentation: my BCE loss is negative and goes to minus thousands.
# ask: explain loss
# ask: diagnose train_step
# cause: the mask holds 0 and 255, BCEWithLogitsLoss wants labels between 0 and 1
# line: mask = (torch.rand(4, 1, 8, 8) > 0.5).float() * 255 || loss = criterion(unet(image), mask)
# cure: mask / 255
# harmful: abs(loss); smaller learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
unet = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1))
image = torch.rand(4, 1, 8, 8)
mask = (torch.rand(4, 1, 8, 8) > 0.5).float() * 255
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(unet.parameters(), lr=1e-2)


def train_step():
    optimizer.zero_grad()
    loss = criterion(unet(image), mask)
    loss.backward()
    optimizer.step()
    return loss

for _ in range(20):
    loss = train_step()
