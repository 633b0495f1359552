import torch


def safe_log(v):
    return torch.where(v > 0, torch.log(v), torch.zeros_like(v))


theta = torch.tensor([0.5, 1.5, 0.0], requires_grad=True)
opt = torch.optim.Adam([theta], lr=0.1)
for i in range(4):
    loss = (safe_log(theta) - 1.0).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
