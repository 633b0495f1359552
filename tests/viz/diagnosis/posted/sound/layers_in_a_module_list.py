import torch
from torch import nn


class DeepNet(nn.Module):
    def __init__(self, sizes, classes):
        super().__init__()
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(sizes[-1], classes)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


torch.manual_seed(0)
model = DeepNet([6, 10, 10], 4)
opt = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(24, 6)
y = torch.randint(0, 4, (24,))
losses = []
for epoch in range(20):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
    losses.append(loss.item())
