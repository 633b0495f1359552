# ask: explain error
# ask: diagnose for step in range(10)
# cause: backward of the Function returns one gradient, forward has two inputs (x, alpha).
# line: return grad_out * torch.where(x > 0, 1.0, ctx.alpha)
# cure: `return grad..., None`.
# harmful: returning the gradient twice; making alpha a global.
import torch
import torch.nn as nn


class LeakyReluFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.save_for_backward(x)
        ctx.alpha = alpha
        return torch.where(x > 0, x, alpha * x)

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out * torch.where(x > 0, 1.0, ctx.alpha)


torch.manual_seed(20)
l1, l2 = nn.Linear(3, 12), nn.Linear(12, 1)
opt = torch.optim.Adam([*l1.parameters(), *l2.parameters()], lr=1e-2)
x = torch.randn(64, 3)
y = x.max(dim=1, keepdim=True).values

for step in range(10):
    out = l2(LeakyReluFn.apply(l1(x), 0.1))
    loss = ((out - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
