# question: KLDivLoss gives negative values in my distillation and the student does not follow the teacher.
# ask: explain loss
# ask: diagnose step
# cause: kl_div expects log-probabilities as its first argument but gets probabilities
# line: loss = F.kl_div(torch.softmax(student(x), 1), soft, reduction="batchmean")
# cure: F.log_softmax for the student
# harmful: take abs of the loss
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(54)
teacher = nn.Linear(5, 3)
student = nn.Linear(5, 3)
x = 3 * torch.randn(40, 5)
opt = torch.optim.SGD(student.parameters(), lr=0.5)
with torch.no_grad():
    soft = torch.softmax(teacher(x) * 3, 1)


def step():
    loss = F.kl_div(torch.softmax(student(x), 1), soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
