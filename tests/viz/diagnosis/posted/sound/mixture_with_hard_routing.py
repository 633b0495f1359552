import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(3, 4)
        self.experts = nn.ModuleList(nn.Linear(3, 1) for _ in range(4))

    def forward(self, x):
        scores = torch.softmax(self.gate(x), dim=1)
        best, chosen = scores.max(dim=1)
        out = torch.zeros(len(x), 1)
        for number, expert in enumerate(self.experts):
            rows = (chosen == number).nonzero().flatten()
            if len(rows):
                out = out.index_add(0, rows, expert(x[rows]) * best[rows].unsqueeze(1))
        return out


torch.manual_seed(0)
net = Mixture()
opt = torch.optim.Adam(net.parameters(), lr=0.03)
x = torch.randn(6, 3)
y = x.sum(1, keepdim=True)
losses = []
for step in range(20):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
