# question: XOR with three layers is stuck at 0.693, what is wrong with my code?
# ask: explain loss
# ask: diagnose step
# cause: no activation between the linear layers: together they are one linear map, which cannot do XOR
# line: xor = nn.Sequential(nn.Linear(2, 8), nn.Linear(8, 8), nn.Linear(8, 1))
# cure: put an activation (ReLU, Tanh) between the layers
# harmful: more linear layers
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(40)
bits = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
answer = torch.tensor([[0.0], [1.0], [1.0], [0.0]])
xor = nn.Sequential(nn.Linear(2, 8), nn.Linear(8, 8), nn.Linear(8, 1))
opt = torch.optim.Adam(xor.parameters(), lr=0.05)


def step():
    opt.zero_grad()
    loss = F.binary_cross_entropy_with_logits(xor(bits), answer)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
