# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: images are channels last.
# line: loss = nn.functional.cross_entropy(net(batch), labels[k:k + 8])
# line: batch = photos[k:k + 8].float() / 255
# line: photos = torch.randint(0, 256, (24, 12, 12, 3), dtype=torch.uint8)
# cure: `.permute(0, 3, 1, 2)`.
# harmful: Conv2d(12, ...); view/reshape to (8,3,12,12).
import torch
import torch.nn as nn

torch.manual_seed(27)
photos = torch.randint(0, 256, (24, 12, 12, 3), dtype=torch.uint8)
labels = torch.randint(0, 2, (24,))

net = nn.Sequential(
    nn.Conv2d(3, 8, 3), nn.ReLU(),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(),
    nn.Linear(8, 2),
)
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for k in range(0, 24, 8):
        batch = photos[k:k + 8].float() / 255
        loss = nn.functional.cross_entropy(net(batch), labels[k:k + 8])
        opt.zero_grad()
        loss.backward()
        opt.step()
