# ask: explain error
# ask: diagnose for step in range(5)
# cause: flattened size is 16*3*3 = 144, layer expects 256.
# line: return self.fc(img)
# line: loss = F.cross_entropy(eyes(img), lab)
# line: self.fc = nn.Linear(16 * 4 * 4, 5)
# cure: `nn.Linear(16 * 3 * 3, 5)`, LazyLinear, adaptive pool to 4x4.
# harmful: changing flatten start dim, reshaping to (-1, 256), transposing.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Eyes(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3)
        self.c2 = nn.Conv2d(8, 16, 3)
        self.fc = nn.Linear(16 * 4 * 4, 5)

    def forward(self, img):
        img = F.max_pool2d(F.relu(self.c1(img)), 2)
        img = F.max_pool2d(F.relu(self.c2(img)), 2)
        img = torch.flatten(img, 1)
        return self.fc(img)


def main():
    torch.manual_seed(5)
    eyes = Eyes()
    opt = torch.optim.Adam(eyes.parameters())
    for step in range(5):
        img, lab = torch.randn(8, 1, 20, 20), torch.randint(0, 5, (8,))
        loss = F.cross_entropy(eyes(img), lab)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
