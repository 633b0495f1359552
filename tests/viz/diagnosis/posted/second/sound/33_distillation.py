# question: The teacher is under no_grad; kl_div gets log-probabilities.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(33)
teacher, student = nn.Linear(5, 4), nn.Linear(5, 4)
opt = torch.optim.SGD(student.parameters(), lr=0.5)
x = torch.randn(60, 5) * 2


def step():
    with torch.no_grad():
        soft = F.softmax(2 * teacher(x), 1)
    loss = F.kl_div(F.log_softmax(student(x), 1), soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
