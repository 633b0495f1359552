# ask: explain loss
# ask: diagnose for i in range(100)
# cause: a right custom Function (clipped gradient of a rounded value).
# good: nothing found.
# harmful: any.
import torch
from torch import nn
torch.manual_seed(9)
class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s
    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        return g * (s + x * s * (1 - s))
lin1, lin2 = nn.Linear(3, 16), nn.Linear(16, 1)
opt = torch.optim.SGD([*lin1.parameters(), *lin2.parameters()], lr=0.1)
x = torch.randn(64, 3)
y = x.abs().sum(1, keepdim=True)
for i in range(100):
    loss = nn.functional.mse_loss(lin2(Swish.apply(lin1(x))), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
