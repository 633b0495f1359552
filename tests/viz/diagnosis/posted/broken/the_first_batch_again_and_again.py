import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
X = torch.randn(128, 10)
Y = torch.sin(X.sum(1, keepdim=True))
loader = DataLoader(TensorDataset(X[:96], Y[:96]), batch_size=8)
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for iteration in range(60):
    x, y = next(iter(loader))
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
test_loss = nn.functional.mse_loss(net(X[96:]), Y[96:]).item()
