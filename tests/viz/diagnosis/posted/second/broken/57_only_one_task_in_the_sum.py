# question: Multi-task net: the head for age has grad None and never trains, the gender head is fine.
# ask: explain age_w
# ask: diagnose step
# cause: the age loss is computed but not added to the total that backward is called on
# line: total = gender_loss
# cure: total = gender_loss + age_loss
# harmful: a second optimizer
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(57)


class Face(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(6, 10)
        self.gender = nn.Linear(10, 2)
        self.age = nn.Linear(10, 1)

    def forward(self, x):
        h = F.relu(self.trunk(x))
        return self.gender(h), self.age(h)


face = Face()
age_w = face.age.weight
opt = torch.optim.SGD(face.parameters(), lr=0.1)
x = torch.randn(30, 6)
g, a = (x[:, 0] > 0).long(), x[:, 1:2] + 3


def step():
    opt.zero_grad()
    gender_scores, age_guess = face(x)
    gender_loss = F.cross_entropy(gender_scores, g)
    age_loss = F.mse_loss(age_guess, a)
    total = gender_loss
    total.backward()
    opt.step()
    return age_loss


for _ in range(20):
    loss = step()
