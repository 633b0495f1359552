# ask: explain loss
# ask: diagnose for i in range(60)
# cause: the custom Function's backward returns the local derivative without multiplying by grad_output.
# line: return 2 * x
# good: grad_output isn't used; return grad_output * 2 * x.
# harmful: asserts another cause (e.g. rate).
import torch
from torch import nn
torch.manual_seed(9)
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return 2 * x
lin = nn.Linear(3, 4)
out = nn.Linear(4, 1)
opt = torch.optim.SGD([*lin.parameters(), *out.parameters()], lr=0.05)
x = torch.randn(50, 3)
y = (x ** 2).sum(1, keepdim=True)
for i in range(60):
    pred = out(Square.apply(lin(x)))
    loss = ((pred - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
