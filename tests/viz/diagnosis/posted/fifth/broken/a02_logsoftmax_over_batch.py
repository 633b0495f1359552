# ask: explain loss
# ask: diagnose for step in range(100)
# cause: log_softmax normalises over dim=0 (the batch) and not over the classes.
# line: return F.log_softmax(self.out(h), dim=0)
# good: names dim=0 as the batch and says dim=1 (or -1).
# harmful: any cure that leaves dim=0 and claims a fix; adding a second softmax.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hid = nn.Linear(6, 24)
        self.out = nn.Linear(24, 3)
    def forward(self, x):
        h = F.relu(self.hid(x))
        return F.log_softmax(self.out(h), dim=0)
x = torch.randn(90, 6)
y = x[:, :3].argmax(dim=1)
model = Classifier()
criterion = nn.NLLLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    idx = torch.randperm(90)[:30]
    opt.zero_grad()
    loss = criterion(model(x[idx]), y[idx])
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", (model(x).argmax(1) == y).float().mean().item())
