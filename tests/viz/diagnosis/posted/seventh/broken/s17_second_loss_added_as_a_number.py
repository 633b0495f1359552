# ask: explain total
# ask: diagnose for epoch in range(120)
# cause: the second task's loss is added by `.item()`, as a number: head_b (and the trunk for that task) gets no gradient.
# line: total = loss_a + 0.5 * loss_b.item()
# cure: drop `.item()`.
# harmful: raising the 0.5; removing head_b from the optimizer; `torch.tensor(loss_b.item(), requires_grad=True)`.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(16)


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.head_a = nn.Linear(32, 3)
        self.head_b = nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.head_a(h), self.head_b(h)


x = torch.randn(240, 10)
cls = x[:, :3].argmax(1)
val = x[:, 4:5] * 2 + 1
model = MultiTask()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(120):
    out_a, out_b = model(x)
    loss_a = F.cross_entropy(out_a, cls)
    loss_b = F.mse_loss(out_b, val)
    total = loss_a + 0.5 * loss_b.item()
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
print("a", loss_a.item(), "b", loss_b.item())
