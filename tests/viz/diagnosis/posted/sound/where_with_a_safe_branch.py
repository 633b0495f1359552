import torch


def safe_log(v):
    positive = v > 0
    return torch.where(positive, torch.log(torch.where(positive, v, torch.ones_like(v))), v - 1)


theta = torch.tensor([0.5, 1.5, -0.5], requires_grad=True)
opt = torch.optim.Adam([theta], lr=0.1)
losses = []
for i in range(10):
    loss = (safe_log(theta) - 1.0).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
