# ask: explain rec
# ask: diagnose for step in range(400)
# cause: sound; what looks suspicious and is meant: retain_graph.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(25)
enc, dec, judge = nn.Linear(6, 3), nn.Linear(3, 6), nn.Linear(3, 2)
o1 = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=1e-2)
o2 = torch.optim.Adam(judge.parameters(), lr=1e-2)
z = torch.randn(256, 3)
x = z @ torch.randn(3, 6)
y = (z[:, 0] > 0).long()
for step in range(400):
    code = enc(x)
    rec = (dec(code) - x).square().mean()
    cls = nn.functional.cross_entropy(judge(code), y)
    o1.zero_grad()
    o2.zero_grad()
    rec.backward(retain_graph=True)
    cls.backward()
    o1.step()
    o2.step()
print("rec", rec.item(), "acc", (judge(enc(x)).argmax(1) == y).float().mean().item())
