# question: a leaf Variable that requires grad is being used in an in-place operation - I only subtract the gradient.
# ask: explain theta
# raises: RuntimeError
# cause: the update changes the leaf in place while gradients are recorded
# line: theta -= 0.1 * theta.grad
# cure: wrap the update in torch.no_grad() || use an optimizer
# harmful: theta = theta - ... (makes a non-leaf); requires_grad=False
import torch

theta = torch.ones(3, requires_grad=True)
cost = (theta ** 2 + 3 * theta).sum()
cost.backward()
theta -= 0.1 * theta.grad
