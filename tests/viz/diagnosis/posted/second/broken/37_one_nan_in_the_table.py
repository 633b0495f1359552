# question: All weights of my model are nan after the first iteration, although the learning rate is tiny.
# ask: explain loss
# ask: diagnose step
# cause: the input data hold a nan, which makes the loss and all gradients nan
# line: table[7, 2] = float("nan")
# cure: clean the data first (drop or fill the missing value: torch.nan_to_num on the input, or a mask)
# harmful: lower the learning rate; clip the gradients
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(37)
table = torch.randn(30, 4)
table[7, 2] = float("nan")
outcome = table[:, :1] * 2
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=1e-4)


def step():
    opt.zero_grad()
    loss = F.mse_loss(model(table), outcome)
    loss.backward()
    opt.step()
    return loss


for _ in range(6):
    loss = step()
