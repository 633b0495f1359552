# ask: explain loss
# ask: diagnose for epoch in range(15)
# cause: StepLR(step_size=5) counts epochs but scheduler.step() is called for each batch, so the rate falls to about 1e-10 within the first epochs.
# line: scheduler.step()
# good: the learning rate has decayed to nothing as scheduler.step() is called each batch; move it out to the epoch loop.
# harmful: raise the rate enormously; drop optimizer.step.
import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
torch.manual_seed(10)
x = torch.randn(256, 8)
y = torch.sin(x[:, :1]) + x[:, 1:2]
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
scheduler = StepLR(optimizer, step_size=5, gamma=0.1)
for epoch in range(15):
    for b in range(0, 256, 32):
        xb, yb = x[b:b + 32], y[b:b + 32]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
        scheduler.step()
print("loss", loss.item(), "lr", optimizer.param_groups[0]["lr"])
