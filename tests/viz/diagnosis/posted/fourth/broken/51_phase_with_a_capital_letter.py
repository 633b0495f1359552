# question: The transfer learning loop of the tutorial: does not require grad and does not have a grad_fn.
# ask: explain error
# cause: set_grad_enabled(phase == "Train") is False, since the phases are called "train" and "val": the training runs without recording
# line: with torch.set_grad_enabled(phase == "Train"):
# cure: phase == "train"
# harmful: loss.requires_grad_()
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(51)
model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(10, 4), torch.randint(0, 2, (10,))
for phase in ["train", "val"]:
    with torch.set_grad_enabled(phase == "Train"):
        loss = F.cross_entropy(model(x), y)
    if phase == "train":
        opt.zero_grad()
        loss.backward()
        opt.step()
