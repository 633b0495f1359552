# ask: explain loss
# ask: diagnose for i in range(60)
# cause: FGSM adversarial training: gradient of the loss by the input, then a step on adversarial inputs.
# good: nothing found.
# harmful: any.
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(11)
net = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(128, 4)
lab = (data.sum(1) > 0).long()
def attack(x, y, eps=0.1):
    x = x.clone().requires_grad_(True)
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    return (x + eps * x.grad.sign()).detach()
for i in range(60):
    adv = attack(data, lab)
    opt.zero_grad()
    loss = F.cross_entropy(net(adv), lab)
    loss.backward()
    opt.step()
print("loss", loss.item())
