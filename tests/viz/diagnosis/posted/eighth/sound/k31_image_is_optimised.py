# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sound; what looks suspicious and is meant: only the image is optimised.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(30)
net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).requires_grad_(False)
image = torch.zeros(1, 16, requires_grad=True)
want = torch.tensor([2])
opt = torch.optim.Adam([image], lr=0.05)
for step in range(200):
    loss = nn.functional.cross_entropy(net(image), want) + 0.001 * image.square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        image.clamp_(-3, 3)
print("prob", torch.softmax(net(image), 1)[0, 2].item())
