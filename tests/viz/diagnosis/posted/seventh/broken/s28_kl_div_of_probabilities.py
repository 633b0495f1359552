# ask: explain loss
# ask: diagnose for step in range(200)
# cause: distillation: `F.kl_div` expects log-probabilities as its input, here it gets probabilities (softmax), so the loss is wrong (negative) and the student is driven away.
# line: loss = F.kl_div(F.softmax(student(x) / T, dim=1), teacher_p, reduction="batchmean") * T * T
# cure: `F.log_softmax(...)` for the input.
# harmful: abs()/clamp of the loss; swapping the arguments; removing no_grad from the teacher; log_target=True without logs.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(27)
teacher = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 5))
with torch.no_grad():
    teacher[2].weight.mul_(8)
student = nn.Linear(10, 5)
opt = torch.optim.Adam(student.parameters(), lr=1e-2)
T = 2.0
x_all = torch.randn(512, 10)

for step in range(200):
    x = x_all[torch.randint(0, 512, (64,))]
    with torch.no_grad():
        teacher_p = F.softmax(teacher(x) / T, dim=1)
    loss = F.kl_div(F.softmax(student(x) / T, dim=1), teacher_p, reduction="batchmean") * T * T
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
