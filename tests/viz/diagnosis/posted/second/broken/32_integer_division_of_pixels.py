# question: My small CNN on 8 bit images predicts the same class for all pictures from the first epoch on.
# ask: explain loss
# ask: diagnose step
# cause: images // 255 is an integer division: almost all pixels become 0, so the input is blank
# line: images = raw // 255
# cure: raw / 255 (true division) or raw.float() / 255
# harmful: deeper network
import torch
from torch import nn

torch.manual_seed(32)
raw = torch.randint(0, 255, (24, 1, 8, 8))
images = raw // 255
labels = (raw.float().mean((1, 2, 3)) > 127).long()
model = nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(27, 2))
ce = nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def step():
    opt.zero_grad()
    loss = ce(model(images.float()), labels)
    loss.backward()
    opt.step()
    return loss


for _ in range(25):
    loss = step()
