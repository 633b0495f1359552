# question: Logarithms first, the teacher's probabilities second, with a temperature.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(27)
teacher, student = nn.Linear(4, 3), nn.Linear(4, 3)
opt = torch.optim.SGD(student.parameters(), lr=0.5)
x = torch.randn(24, 4)


def step():
    with torch.no_grad():
        soft = torch.softmax(teacher(x) / 2, dim=1)
    logp = torch.log_softmax(student(x) / 2, dim=1)
    loss = F.kl_div(logp, soft, reduction="batchmean") * 4
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
