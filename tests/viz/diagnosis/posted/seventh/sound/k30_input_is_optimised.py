# ask: explain loss
# ask: diagnose for step in range(150)
# cause: the model is frozen, the INPUT is optimised (image synthesis / latent search).
# good: nothing found.
# harmful: unfreeze the model.
import torch
import torch.nn as nn

torch.manual_seed(29)
features = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1)).eval()
for p in features.parameters():
    p.requires_grad_(False)


def gram(f):
    f = f.flatten(2)
    return f @ f.transpose(1, 2) / f.size(-1)


style = torch.rand(1, 1, 12, 12)
style_gram = gram(features(style))
canvas = torch.randn(1, 1, 12, 12, requires_grad=True)
optimizer = torch.optim.Adam([canvas], lr=0.05)

for step in range(150):
    loss = ((gram(features(canvas)) - style_gram) ** 2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
