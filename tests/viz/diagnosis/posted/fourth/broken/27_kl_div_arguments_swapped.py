# question: Distillation with kl_div: the loss is negative and the student gets worse.
# ask: explain loss
# ask: diagnose step
# cause: F.kl_div takes the logarithms first (student) and the target second; they are swapped, and the target gets logarithms
# line: loss = F.kl_div(soft, logp, reduction="batchmean")
# cure: F.kl_div(logp, soft, reduction="batchmean")
# harmful: abs(loss)
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(27)
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x = torch.randn(24, 4)


def step():
    with torch.no_grad():
        soft = torch.softmax(teacher(x), dim=1)
    logp = torch.log_softmax(student(x), dim=1)
    loss = F.kl_div(soft, logp, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
