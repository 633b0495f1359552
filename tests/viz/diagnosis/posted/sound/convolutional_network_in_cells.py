# %%
import torch
from torch import nn

torch.manual_seed(0)
pictures = torch.rand(16, 1, 8, 8)
bright = (pictures[:, 0, :4].mean((1, 2)) > pictures[:, 0, 4:].mean((1, 2))).long()

# %%
cnn = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(cnn.parameters(), lr=0.01)
losses = []

# %%
for epoch in range(12):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(cnn(pictures), bright)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
