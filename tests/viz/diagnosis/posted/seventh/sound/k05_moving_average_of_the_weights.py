# ask: explain loss
# ask: diagnose for step in range(200)
# cause: EMA copy of the weights updated under no_grad; never in an optimizer.
# good: nothing found.
# harmful: give the EMA gradients.
import copy
import torch
import torch.nn as nn

torch.manual_seed(4)


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
ema = EMA(net, 0.95)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(200, 3)
y = torch.sin(2 * x[:, :1]) + x[:, 1:2]

for step in range(200):
    idx = torch.randint(0, 200, (32,))
    loss = nn.functional.mse_loss(net(x[idx]), y[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(net)
print(loss.item(), nn.functional.mse_loss(ema.shadow(x), y).item())
