# ask: explain loss in main
# ask: diagnose for epoch in range(8)
# cause: sound, an ordinary program.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


def bars(n):
    img = 0.3 * torch.randn(n, 1, 10, 10)
    lab = torch.randint(0, 2, (n,))
    for k in range(n):
        r = int(torch.randint(0, 10, (1,)))
        if lab[k]:
            img[k, 0, r] += 1
        else:
            img[k, 0, :, r] += 1
    return img, lab


def main():
    torch.manual_seed(23)
    net = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(72, 2))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    img, lab = bars(300)
    for epoch in range(8):
        for part in torch.randperm(300).split(30):
            loss = nn.functional.cross_entropy(net(img[part]), lab[part])
            opt.zero_grad()
            loss.backward()
            opt.step()
    net.eval()
    a, b = bars(100)
    print("acc", (net(a).argmax(1) == b).float().mean().item())


main()
