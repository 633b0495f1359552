# question: My own cube Function: is its backward right?
# ask: explain x
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 3 * x ** 2 * grad_output


x = torch.tensor([1.0, -2.0], requires_grad=True)
(2 * Cube.apply(x)).sum().backward()
