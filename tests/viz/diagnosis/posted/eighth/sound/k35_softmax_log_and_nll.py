# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: sound; what looks suspicious and is meant: softmax, then log, then NLL.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Cls(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(4, 32)
        self.g = nn.Linear(32, 3)

    def forward(self, x):
        return torch.softmax(self.g(torch.relu(self.f(x))), dim=1)


torch.manual_seed(34)
x = torch.randn(300, 4)
y = x[:, :3].argmax(1)
c = Cls()
opt = torch.optim.Adam(c.parameters(), lr=1e-2)
nll = nn.NLLLoss()
for epoch in range(150):
    p = c(x)
    loss = nll(torch.log(p + 1e-9), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("acc", (p.argmax(1) == y).float().mean().item())
