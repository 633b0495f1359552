# question: My custom Function's gradient does not agree with the true one when another factor follows.
# ask: explain x
# cause: backward returns only the local derivative and does not multiply by grad_output
# line: return 2 * x
# cure: return grad_output * 2 * x
# harmful: detach
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = Square.apply(x) * 5
y.sum().backward()
