import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(6, 6)
        self.classifier = nn.Linear(6, 2)

    def forward(self, x):
        return self.classifier(torch.relu(self.base(x)))


torch.manual_seed(0)
net = Net()
w0 = net.classifier.weight.detach().clone()
lr = 0.05
opt = torch.optim.SGD(
    [
        {"params": net.base.parameters()},
        {"params": net.classifier.parameters(), "lr": lr * 0},
    ],
    lr=lr,
    momentum=0.9,
)
x, y = torch.randn(24, 6), torch.randint(0, 2, (24,))
for epoch in range(8):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
