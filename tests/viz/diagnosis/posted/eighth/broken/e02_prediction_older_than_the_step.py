# ask: explain error
# ask: diagnose for it in range(50)
# cause: o2.step() changes the weights of `rate` in place, while `cost_make` needs the old ones.
# line: cost_make.backward()
# line: o2.step()
# line: p_art = rate(art)
# line: cost_make = torch.log(1 - p_art).mean()
# cure: compute `rate(art)` anew for cost_make after o2.step(); or do both backwards before both steps (with care for rate's gradient).
# harmful: more retain_graph; `.clone()` of inputs; detach `p_art` in cost_make.
import torch
from torch import nn

torch.manual_seed(1)
make = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
rate = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
o1 = torch.optim.Adam(make.parameters(), lr=1e-3)
o2 = torch.optim.Adam(rate.parameters(), lr=1e-3)

for it in range(50):
    true = torch.randn(32, 2) + 2
    art = make(torch.randn(32, 3))
    p_true = rate(true)
    p_art = rate(art)
    cost_rate = -(torch.log(p_true) + torch.log(1 - p_art)).mean()
    cost_make = torch.log(1 - p_art).mean()

    o2.zero_grad()
    cost_rate.backward(retain_graph=True)
    o2.step()

    o1.zero_grad()
    cost_make.backward()
    o1.step()
