import torch

torch.manual_seed(0)
regressor = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(regressor.parameters(), lr=0.05)
x, y = torch.randn(20, 3), torch.randn(20, 1)
penalty = sum(p.pow(2).sum() for p in regressor.parameters())
for epoch in range(4):
    loss = (regressor(x) - y).pow(2).mean() + 0.01 * penalty
    opt.zero_grad()
    loss.backward()
    opt.step()
