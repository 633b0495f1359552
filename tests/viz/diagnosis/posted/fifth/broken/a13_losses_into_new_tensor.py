# ask: explain total
# ask: diagnose for epoch in range(30)
# cause: torch.tensor(losses, requires_grad=True) makes a new leaf without the history of the losses; the net gets no gradient.
# line: total = torch.tensor(losses, requires_grad=True).mean()
# good: torch.tensor copies values and cuts the graph; use torch.stack(losses).
# harmful: retain_graph, requires_grad on something else.
import torch
from torch import nn
torch.manual_seed(12)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
tasks = [(torch.randn(20, 4), k) for k in range(3)]
for epoch in range(30):
    losses = []
    for data, k in tasks:
        target = data[:, :1] + 0.1 * k
        losses.append(nn.functional.mse_loss(net(data), target))
    total = torch.tensor(losses, requires_grad=True).mean()
    opt.zero_grad()
    total.backward()
    opt.step()
print("loss", total.item())
