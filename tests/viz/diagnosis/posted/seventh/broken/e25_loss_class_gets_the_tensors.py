# ask: explain error
# ask: diagnose for t in range(50)
# cause: the loss class is constructed with the tensors instead of being called: `nn.MSELoss(pred, y)`.
# line: loss = nn.MSELoss(pred, y)
# cure: `nn.MSELoss()(pred, y)` or F.mse_loss.
# harmful: `.all()`/`.any()` as the message's text suggests.
import torch
import torch.nn as nn

torch.manual_seed(24)
x = torch.unsqueeze(torch.linspace(-1, 1, 100), dim=1)
y = x.pow(3) + 0.1 * torch.rand(x.size())
net = nn.Sequential(nn.Linear(1, 20), nn.ReLU(), nn.Linear(20, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for t in range(50):
    pred = net(x)
    loss = nn.MSELoss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
