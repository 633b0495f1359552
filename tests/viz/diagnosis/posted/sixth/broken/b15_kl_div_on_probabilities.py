# ask: explain loss
# ask: diagnose for it in range(100)
# cause: kl_div expects log-probabilities as its input but gets softmax.
# line: loss = F.kl_div(F.softmax(student(x), dim=1), soft, reduction="batchmean")
# good: the first argument must be log_softmax.
# harmful: asserts another cause.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(14)
teacher = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 4))
student = nn.Linear(6, 4)
opt = torch.optim.Adam(student.parameters(), lr=1e-2)
for p in teacher.parameters():
    p.requires_grad_(False)
for it in range(100):
    x = torch.randn(64, 6)
    soft = F.softmax(teacher(x) * 3, dim=1)
    loss = F.kl_div(F.softmax(student(x), dim=1), soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "agree", (student(x).argmax(1) == teacher(x).argmax(1)).float().mean().item())
