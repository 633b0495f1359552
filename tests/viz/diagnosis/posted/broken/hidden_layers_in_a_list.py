import torch
from torch import nn


class DeepNet(nn.Module):
    def __init__(self, sizes, classes):
        super().__init__()
        self.hidden = [nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)]
        self.out = nn.Linear(sizes[-1], classes)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


torch.manual_seed(0)
model = DeepNet([6, 10, 10], 4)
first = model.hidden[0].weight.detach().clone()
opt = torch.optim.Adam(model.parameters(), lr=0.02)
x = torch.randn(24, 6)
y = torch.randint(0, 4, (24,))
for epoch in range(10):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
