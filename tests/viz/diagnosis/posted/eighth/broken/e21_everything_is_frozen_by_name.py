# ask: explain error
# ask: diagnose for epoch in range(5)
# cause: every parameter is frozen (no name has "extra").
# line: loss.backward()
# line: if "extra" not in name:
# line: p.requires_grad = False
# cure: exclude the head (or unfreeze what is to be trained).
# harmful: `loss.requires_grad = True`, `x.requires_grad_()`.
import torch
import torch.nn as nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(8, 16)
        self.neck = nn.Linear(16, 16)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(torch.relu(self.neck(torch.relu(self.stem(x)))))


torch.manual_seed(20)
net = Detector()
for name, p in net.named_parameters():
    if "extra" not in name:
        p.requires_grad = False

opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(30, 8), torch.randint(0, 3, (30,))
for epoch in range(5):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
