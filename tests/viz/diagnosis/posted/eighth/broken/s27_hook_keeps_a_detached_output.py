# ask: explain loss
# ask: diagnose for ep in range(80)
# cause: the hook stores `out.detach()`: the encoder gets no gradient and stays random.
# line: tap[name] = out.detach()
# line: tower[3].register_forward_hook(keep("code"))
# line: loss = nn.functional.cross_entropy(probe(tap["code"]), Y[part])
# cure: store `out`; use the return value.
# harmful: detach elsewhere; `requires_grad_()` on the code; more capacity in probe.
import torch
from torch import nn

torch.manual_seed(24)
tap = {}


def keep(name):
    def hook(mod, inp, out):
        tap[name] = out.detach()
    return hook


tower = nn.Sequential(nn.Linear(30, 40), nn.ReLU(), nn.Linear(40, 3), nn.Tanh())
tower[3].register_forward_hook(keep("code"))
probe = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
opt = torch.optim.Adam(list(tower.parameters()) + list(probe.parameters()), lr=5e-3)

X = torch.randn(600, 30)
Y = (X[:, 7] > 0).long() * 2 + (X[:, 19] > 0).long()

for ep in range(80):
    for part in torch.randperm(600).split(100):
        tower(X[part])
        loss = nn.functional.cross_entropy(probe(tap["code"]), Y[part])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 20 == 0:
        print(ep, loss.item())

tower(X)
print("acc", (probe(tap["code"]).argmax(1) == Y).float().mean().item())
