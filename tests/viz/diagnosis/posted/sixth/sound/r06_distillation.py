# ask: explain loss
# ask: diagnose for it in range(80)
# cause: teacher in eval mode under no_grad; right kl_div.
# good: nothing found.
# harmful: train the teacher.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(5)
teacher = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Dropout(0.2), nn.Linear(32, 3))
student = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
teacher.eval()
opt = torch.optim.Adam(student.parameters(), lr=1e-2)
Temp = 2.0
for it in range(80):
    x = torch.randn(64, 6)
    with torch.no_grad():
        soft = F.softmax(teacher(x) / Temp, dim=1)
    loss = F.kl_div(F.log_softmax(student(x) / Temp, dim=1), soft, reduction="batchmean") * Temp ** 2
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
