# ask: explain net.heatmap.weight
# ask: diagnose for i in range(40)
# cause: the keypoint's coordinate is found by argmax, which has no derivative: the heatmap net gets no gradient; only the offset net learns.
# line: idx = heat.flatten(1).argmax(dim=1)
# good: argmax cuts the graph; use soft-argmax (softmax weighted sum).
# harmful: coord.requires_grad_(True).
import torch
from torch import nn
torch.manual_seed(15)
class Keypoint(nn.Module):
    def __init__(self):
        super().__init__()
        self.heatmap = nn.Conv2d(1, 1, 3, padding=1)
        self.offset = nn.Linear(64, 2)
    def forward(self, img):
        heat = self.heatmap(img)
        idx = heat.flatten(1).argmax(dim=1)
        coord = torch.stack([idx // 8, idx % 8], dim=1).float()
        return coord + self.offset(img.flatten(1))
net = Keypoint()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
img = torch.rand(20, 1, 8, 8)
xy = torch.rand(20, 2) * 8
for i in range(40):
    loss = nn.functional.mse_loss(net(img), xy)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), net.heatmap.weight.grad)
