# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: CrossEntropyLoss(label_smoothing=0.1): the loss cannot reach 0 (floor about 0.39 at 4 classes), yet the accuracy does reach 1.
# good: nothing found.
# harmful: "loss stuck".
import torch
import torch.nn as nn

torch.manual_seed(15)
protos = 2 * torch.randn(4, 8)
y = torch.randint(0, 4, (200,))
x = protos[y] + 0.4 * torch.randn(200, 8)
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
crit = nn.CrossEntropyLoss(label_smoothing=0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)

for epoch in range(60):
    out = net(x)
    loss = crit(out, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
print(loss.item(), (out.argmax(1) == y).float().mean().item())
