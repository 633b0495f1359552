import torch

torch.manual_seed(0)
positions = torch.rand(4, 3, requires_grad=True)
strength = torch.ones(1, requires_grad=True)
r = torch.tensor(positions.tolist())
pairs = (r[:, None] - r[None]).pow(2).sum(-1) + 1
energy = (strength / pairs).sum()
forces = -torch.autograd.grad(energy, positions)[0]
