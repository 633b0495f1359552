# ask: explain loss
# ask: diagnose for i in range(200)
# cause: the custom Function's backward does not multiply by `grad_output`, so the chain rule is broken (gradient of the loss after it is lost, also its sign).
# line: return 2 * x
# cure: `return grad_output * 2 * x`.
# harmful: lower lr; `retain_graph`; detaching; using `.data`.
import torch
import torch.nn as nn


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return 2 * x


class QuadNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 16)
        self.b = nn.Linear(16, 1)

    def forward(self, x):
        return self.b(Square.apply(self.a(x)))


torch.manual_seed(15)
x = torch.randn(200, 4)
y = (x[:, 0] * x[:, 1] + x[:, 2] ** 2).unsqueeze(1)
model = QuadNet()
opt = torch.optim.Adam(model.parameters(), lr=0.01)

for i in range(200):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 50 == 0:
        print(i, loss.item())
