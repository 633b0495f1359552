# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: an odd size (25) is pooled to 12 and upsampled to 24, so it does not fit the skip connection (25).
# line: x = torch.cat([self.up(m), s], dim=1)
# cure: pad/interpolate to s.shape[-2:] (or crop s / even input sizes).
# harmful: cat on another dim; dropping the skip connection.
import torch
import torch.nn as nn


class MiniUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.final = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        s = self.enc(x)
        m = self.mid(nn.functional.max_pool2d(s, 2))
        x = torch.cat([self.up(m), s], dim=1)
        return self.final(x)


torch.manual_seed(27)
unet = MiniUNet()
opt = torch.optim.Adam(unet.parameters(), lr=1e-3)
scan = torch.rand(4, 1, 25, 25)
seg = (scan > 0.5).float()

for epoch in range(3):
    loss = nn.functional.binary_cross_entropy_with_logits(unet(scan), seg)
    opt.zero_grad()
    loss.backward()
    opt.step()
