# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: adversarial training (FGSM): the gradient with respect to the inputs is taken first by autograd.grad, x_adv detached.
# good: nothing found.
# harmful: drop detach.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(28)
protos = torch.randn(3, 10) * 1.5
y = torch.randint(0, 3, (240,))
x = protos[y] + 0.4 * torch.randn(240, 10)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
eps = 0.1


def fgsm(inp, lab):
    inp = inp.clone().requires_grad_(True)
    g, = torch.autograd.grad(F.cross_entropy(net(inp), lab), inp)
    return (inp + eps * g.sign()).detach()


for epoch in range(60):
    x_adv = fgsm(x, y)
    loss = F.cross_entropy(net(x_adv), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
