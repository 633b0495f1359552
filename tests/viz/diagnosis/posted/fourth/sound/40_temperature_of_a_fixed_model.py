# question: Calibration: the scores are computed once without a gradient, only the temperature is learned.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(40)
model = nn.Linear(4, 3)
x = torch.randn(50, 4)
y = torch.randint(0, 3, (50,))
with torch.no_grad():
    scores = 5 * model(x)
temperature = nn.Parameter(torch.ones(1))
opt = torch.optim.Adam([temperature], lr=0.05)


def step():
    opt.zero_grad()
    loss = F.cross_entropy(scores / temperature, y)
    loss.backward()
    opt.step()
    return loss

for _ in range(30):
    loss = step()
