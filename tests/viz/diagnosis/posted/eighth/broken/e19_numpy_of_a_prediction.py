# ask: explain error
# ask: diagnose for epoch in range(30)
# cause: `.numpy()` on a tensor that requires grad.
# line: history.append(np.abs(out.numpy() - y.numpy()).max())
# cure: `out.detach().numpy()`, no_grad.
# harmful: detach where `out` is made; requires_grad False on the net.
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(18)
x = torch.linspace(-1, 1, 60).unsqueeze(1)
y = x ** 3
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
history = []
for epoch in range(30):
    out = net(x)
    loss = nn.functional.mse_loss(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(np.abs(out.numpy() - y.numpy()).max())
print(history[-1])
