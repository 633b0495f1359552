# ask: explain loss in main
# ask: diagnose for step in range(400)
# cause: distillation term compares the teacher with itself (`guide` twice): always 0, the student learns from 6 labels only; `own` is not used.
# line: soft = F.kl_div(F.log_softmax(guide / T, 1), F.softmax(guide / T, 1), reduction="batchmean") * T * T
# line: own = student(xb)
# cure: `F.log_softmax(own / T, 1)`.
# harmful: raising T or the weight; removing no_grad around the teacher.
import torch
import torch.nn as nn
import torch.nn.functional as F


def net(h):
    return nn.Sequential(nn.Linear(2, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 2))


def kind(p):
    return ((p[:, 0] * 2).sin() + p[:, 1] > 0).long()


def teach(p, y):
    t = net(64)
    o = torch.optim.Adam(t.parameters(), lr=5e-3)
    for _ in range(300):
        l = F.cross_entropy(t(p), y)
        o.zero_grad()
        l.backward()
        o.step()
    return t


def main():
    torch.manual_seed(25)
    pool = torch.randn(1000, 2) * 1.5
    truth = kind(pool)
    teacher = teach(pool, truth)
    few = torch.randperm(1000)[:6]
    student = net(32)
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    T = 3.0
    for step in range(400):
        xb = pool[torch.randint(0, 1000, (128,))]
        with torch.no_grad():
            guide = teacher(xb)
        own = student(xb)
        soft = F.kl_div(F.log_softmax(guide / T, 1), F.softmax(guide / T, 1), reduction="batchmean") * T * T
        hard = F.cross_entropy(student(pool[few]), truth[few])
        loss = soft + 0.1 * hard
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(step, soft.item(), hard.item())
    print("student acc", (student(pool).argmax(1) == truth).float().mean().item(),
          "teacher", (teacher(pool).argmax(1) == truth).float().mean().item())


main()
