# question: One layer's weight.grad is always None, the others train.
# ask: explain aux_w
# ask: diagnose step
# cause: self.aux is made in __init__ but forward never uses it
# line: self.aux = nn.Linear(4, 1)
# cure: use it in forward, or remove it
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.main = nn.Linear(4, 1)
        self.aux = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.main(h)


torch.manual_seed(24)
model = TwoHeads()
aux_w = model.aux.weight
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(10, 3), torch.randn(10, 1)


def step():
    opt.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
