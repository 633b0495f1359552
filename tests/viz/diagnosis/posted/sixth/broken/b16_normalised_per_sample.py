# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: each sample is standardised by its own mean and std (dim=1), which removes its brightness, the only signal.
# line: images = (images - images.mean(dim=1, keepdim=True)) / images.std(dim=1, keepdim=True)
# good: points at the per-sample normalisation / that inputs carry no signal; normalise per feature (dim=0).
# harmful: asserts another cause.
import torch
from torch import nn
torch.manual_seed(15)
raw = torch.rand(128, 25)
label = torch.randint(0, 2, (128,))
images = raw + label[:, None] * 0.6
images = (images - images.mean(dim=1, keepdim=True)) / images.std(dim=1, keepdim=True)
clf = nn.Linear(25, 2)
opt = torch.optim.SGD(clf.parameters(), lr=0.05)
losses = []
for epoch in range(60):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(clf(images), label)
    loss.backward()
    opt.step()
    losses.append(loss.item())
print("loss", loss.item(), "acc", (clf(images).argmax(1) == label).float().mean().item())
