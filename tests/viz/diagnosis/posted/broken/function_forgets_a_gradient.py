import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor


x = torch.ones(3, requires_grad=True)
y = Scale.apply(x, 0.5)
y.sum().backward()
