import torch
import torch.nn as nn

torch.manual_seed(0)
cell = nn.Linear(3 + 5, 5)
out = nn.Linear(5, 3)
optimizer = torch.optim.SGD(list(cell.parameters()) + list(out.parameters()), lr=0.05)
frames = torch.randn(6, 2, 3)
state = torch.zeros(2, 5)
for t in range(5):
    state = torch.tanh(cell(torch.cat([frames[t], state], dim=1)))
    loss = (out(state) - frames[t + 1]).abs().mean()
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
