# ask: explain loss
# ask: diagnose for i in range(100)
# cause: straight-through sign Function with a right (clipped) backward; forward is not differentiable, by design.
# good: nothing found.
# harmful: "gradient zero".
import torch
import torch.nn as nn


class BinarizeSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        return torch.where(w >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad_output):
        (w,) = ctx.saved_tensors
        return grad_output * (w.abs() <= 1).float()


class BinLinear(nn.Linear):
    def forward(self, x):
        scale = self.weight.abs().mean()
        return nn.functional.linear(x, BinarizeSTE.apply(self.weight) * scale, self.bias)


torch.manual_seed(20)
x = torch.randn(300, 8)
y = (x @ torch.tensor([1., -1., 1., 1., -1., 1., -1., -1.]) > 0).long()
model = nn.Sequential(BinLinear(8, 64), nn.ReLU(), BinLinear(64, 2))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)

for i in range(100):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
