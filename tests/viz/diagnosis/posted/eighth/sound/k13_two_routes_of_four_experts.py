# ask: explain loss
# ask: diagnose for step in range(400)
# cause: sound; what looks suspicious and is meant: routed experts; some get no sample in a batch.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 16), nn.ReLU(), nn.Linear(16, 1)) for _ in range(n))
        self.gate = nn.Linear(d, n)

    def forward(self, x):
        prob = torch.softmax(self.gate(x), 1)
        top, idx = prob.topk(2, dim=1)
        out = torch.zeros(len(x), 1)
        for k, e in enumerate(self.experts):
            w = (top * (idx == k)).sum(1, keepdim=True)
            pick = w.squeeze(1) > 0
            if pick.any():
                out[pick] = out[pick] + w[pick] * e(x[pick])
        return out, prob


torch.manual_seed(12)
net = Mix(2, 4)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(400):
    x = torch.randn(128, 2)
    y = torch.where(x[:, :1] > 0, 2 * x[:, 1:], -3 * x[:, 1:] + 1)
    out, prob = net(x)
    loss = nn.functional.mse_loss(out, y) + 0.01 * (prob.mean(0) ** 2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "var", y.var().item())
