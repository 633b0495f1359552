import torch
from torch import nn

torch.manual_seed(0)
vgg = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 3)).eval()
for p in vgg.parameters():
    p.requires_grad_(False)
photo = torch.rand(1, 3, 8, 8)
wanted = vgg(photo)
image = torch.rand(1, 3, 8, 8).clamp(0.1, 0.9).requires_grad_()
optimizer = torch.optim.Adam([image], lr=0.05)
losses = []
for _ in range(30):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(vgg(image), wanted)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
