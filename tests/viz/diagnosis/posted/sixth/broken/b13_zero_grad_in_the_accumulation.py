# ask: explain loss
# ask: diagnose for step in range(16)
# cause: zero_grad() stands inside the micro-batch loop, so only the last of four micro-batches counts for the step.
# line: opt.zero_grad()
# good: gradients of the earlier micro-batches are cleared unused; call zero_grad once before the inner loop.
# harmful: remove zero_grad altogether.
import torch
from torch import nn
torch.manual_seed(12)
net = nn.Linear(6, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
X = torch.randn(256, 6)
y = (X[:, 0] > 0).long()
for step in range(16):
    batch, target = X[step * 16:(step + 1) * 16], y[step * 16:(step + 1) * 16]
    for micro, t in zip(batch.chunk(4), target.chunk(4)):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(micro), t) / 4
        loss.backward()
    opt.step()
print("loss", loss.item() * 4)
