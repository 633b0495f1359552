import torch

torch.manual_seed(0)
points = torch.randn(30, 2) * 0.2
points[15:] += 2
centres = torch.tensor([[0.5, 0.0], [1.0, 1.0]], requires_grad=True)
opt = torch.optim.SGD([centres], lr=0.5)
losses = []
for i in range(20):
    squared = (points.unsqueeze(1) - centres).pow(2).sum(dim=2)
    loss = squared.min(dim=1).values.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
