import torch

torch.manual_seed(0)
image = torch.rand(1, 3, 4, 4, requires_grad=True).clamp(0.1, 0.9)
optimizer = torch.optim.Adam([image], lr=0.05)
for _ in range(3):
    optimizer.zero_grad()
    loss = image.mean()
    loss.backward()
    optimizer.step()
