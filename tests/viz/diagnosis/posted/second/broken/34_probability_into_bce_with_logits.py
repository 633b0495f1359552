# question: Binary segmentation: loss stays above 0.3 and never approaches zero even on one example; last layer is sigmoid.
# ask: explain loss
# ask: diagnose step
# cause: BCEWithLogitsLoss applies the sigmoid itself, the model already applies one, so the sigmoid is taken twice
# line: self.act = nn.Sigmoid() || criterion = nn.BCEWithLogitsLoss() || return self.act(self.conv2(torch.relu(self.conv1(img))))
# cure: remove the sigmoid from the model || use BCELoss
# harmful: another sigmoid
import torch
from torch import nn


class TinyUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 1, 3, padding=1)
        self.act = nn.Sigmoid()

    def forward(self, img):
        return self.act(self.conv2(torch.relu(self.conv1(img))))


torch.manual_seed(34)
img = torch.randn(4, 1, 8, 8)
mask = (img > 0.8).float()
unet = TinyUNet()
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(unet.parameters(), lr=0.03)


def step():
    opt.zero_grad()
    loss = criterion(unet(img), mask)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
