# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: distillation, teacher in eval/no_grad, student trained with T^2*KL + CE.
# good: nothing found.
# harmful: train the teacher.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(26)
x = torch.randn(300, 8)
y = (x[:, 0] * x[:, 1] > 0).long()


def fit_teacher():
    t = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 2))
    o = torch.optim.Adam(t.parameters(), lr=1e-2)
    for _ in range(60):
        l = F.cross_entropy(t(x), y)
        o.zero_grad(); l.backward(); o.step()
    return t.eval()


teacher = fit_teacher()
student = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(student.parameters(), lr=5e-3)
T, alpha = 3.0, 0.7

for epoch in range(150):
    with torch.no_grad():
        soft = F.log_softmax(teacher(x) / T, dim=1)
    s = student(x)
    kd = F.kl_div(F.log_softmax(s / T, dim=1), soft, reduction="batchmean", log_target=True) * T * T
    loss = alpha * kd + (1 - alpha) * F.cross_entropy(s, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
