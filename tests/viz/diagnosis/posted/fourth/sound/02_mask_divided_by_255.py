# question: The mask of 0 and 255 is scaled before the loss.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(2)
unet = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 1, 1))
image = torch.rand(4, 1, 8, 8)
mask = (image > 0.5).float() * 255
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(unet.parameters(), lr=1e-2)


def step():
    optimizer.zero_grad()
    loss = criterion(unet(image), mask / 255)
    loss.backward()
    optimizer.step()
    return loss

for _ in range(20):
    loss = step()
