# question: I added a learning rate scheduler and since then the loss does not come down any more.
# ask: explain loss
# ask: diagnose step
# cause: only scheduler.step() is called; optimizer.step() is missing so the weights are never updated
# line: scheduler.step()
# cure: call optimizer.step() as well (before scheduler.step())
# harmful: drop the scheduler's decay; change gamma
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(4)
pictures = torch.randn(16, 1, 6, 6)
labels = (pictures.mean((1, 2, 3)) > 0).long()
cnn = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, 2))
optimizer = torch.optim.Adam(cnn.parameters(), lr=2e-2)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.5)


def step():
    optimizer.zero_grad()
    loss = F.cross_entropy(cnn(pictures), labels)
    loss.backward()
    scheduler.step()
    return loss


for epoch in range(15):
    loss = step()
