# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: set_grad_enabled(phase == "Train") is False for the phase "train", so nothing is recorded.
# line: with torch.set_grad_enabled(phase == "Train"):
# good: gradients were disabled at that with; phase is "train".
# harmful: loss.requires_grad_(True).
import torch
from torch import nn
torch.manual_seed(12)
model = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
data = {"train": torch.randn(60, 4), "val": torch.randn(20, 4)}
def run(phase):
    model.train(phase == "train")
    x = data[phase]
    y = (x[:, 0] > 0).long()
    opt.zero_grad()
    with torch.set_grad_enabled(phase == "Train"):
        loss = nn.functional.cross_entropy(model(x), y)
    if phase == "train":
        loss.backward()
        opt.step()
    return loss
for epoch in range(3):
    for phase in ["train", "val"]:
        loss = run(phase)
