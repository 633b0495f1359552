# ask: explain loss
# ask: diagnose for it in range(400)
# cause: `reshape(n, t, c)` of an (n, c, t) tensor scrambles channels and steps; a transpose was meant.
# line: steps = sig.reshape(n, t, c)
# cure: `permute(0, 2, 1)`, `transpose(1, 2)`, `.mT`.
# harmful: `.contiguous()`; `view`; larger net.
import torch
import torch.nn as nn


class PerStep(nn.Module):
    def __init__(self, chans, kinds):
        super().__init__()
        self.chans = chans
        self.net = nn.Sequential(nn.Linear(chans, 32), nn.ReLU(), nn.Linear(32, kinds))

    def forward(self, sig):
        n, c, t = sig.shape
        steps = sig.reshape(n, t, c)
        return self.net(steps).mean(1)


def signals(n, c=4, t=16):
    lab = torch.randint(0, c, (n,))
    s = 0.4 * torch.randn(n, c, t)
    s[torch.arange(n), lab] += torch.sign(torch.randn(n, t))
    return s, lab


torch.manual_seed(20)
model = PerStep(4, 4)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for it in range(400):
    s, lab = signals(64)
    loss = nn.functional.cross_entropy(model(s), lab)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, loss.item())

s, lab = signals(500)
print("acc", (model(s).argmax(1) == lab).float().mean().item())
