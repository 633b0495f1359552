# ask: explain error
# ask: diagnose for i in range(3)
# cause: the padding row of a parameter is set to zero in place outside no_grad.
# line: self.table[0] = 0.0
# good: wrap in torch.no_grad() (or padding_idx).
# harmful: requires_grad=False for the table; clone assigned.
import torch
from torch import nn
torch.manual_seed(7)
class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(10, 4))
        self.out = nn.Linear(4, 2)
    def forward(self, idx):
        self.table[0] = 0.0
        return self.out(self.table[idx].mean(1))
net = Lookup()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
idx = torch.randint(0, 10, (20, 5))
y = torch.randint(0, 2, (20,))
for i in range(3):
    loss = nn.functional.cross_entropy(net(idx), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
