# ask: explain error
# ask: diagnose opt = torch.optim.SGD([canvas], lr=0.5, momentum=0.5)
# cause: `randn(requires_grad=True) * 0.01` is no leaf.
# line: opt = torch.optim.SGD([canvas], lr=0.5, momentum=0.5)
# line: canvas = torch.randn(3, 8, 8, requires_grad=True) * 0.01
# cure: `(torch.randn(..) * 0.01).requires_grad_()`, `.detach().requires_grad_()`, nn.Parameter.
# harmful: retain_grad; just detach without requires_grad.
import torch
import torch.nn.functional as F

torch.manual_seed(11)
goal = torch.rand(3, 8, 8)
canvas = torch.randn(3, 8, 8, requires_grad=True) * 0.01
opt = torch.optim.SGD([canvas], lr=0.5, momentum=0.5)
for step in range(30):
    loss = F.mse_loss(torch.sigmoid(canvas), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, loss.item())
print(torch.sigmoid(canvas).mean().item())
