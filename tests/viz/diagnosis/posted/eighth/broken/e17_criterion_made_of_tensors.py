# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: the loss class is constructed with the tensors.
# line: loss = nn.CrossEntropyLoss(guess, kind)
# cure: `nn.CrossEntropyLoss()(guess, kind)`, F.cross_entropy.
# harmful: `.any()`/`.all()`.
import torch
import torch.nn as nn

torch.manual_seed(16)
rows = torch.randn(50, 4)
kind = torch.randint(0, 3, (50,))
net = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
optim = torch.optim.SGD(net.parameters(), lr=0.05)

for epoch in range(10):
    guess = net(rows)
    loss = nn.CrossEntropyLoss(guess, kind)
    optim.zero_grad()
    loss.backward()
    optim.step()
