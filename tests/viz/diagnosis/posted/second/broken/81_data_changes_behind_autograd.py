# question: gradcheck says my gradient is wrong, no error is raised; I rescale the weights through .data before backward.
# ask: explain w
# cause: a change through .data between forward and backward is not seen by autograd: backward uses the changed value, the gradient is ten times too large
# line: w.data.mul_(10)
# cure: rescale before the forward pass or after backward || under no_grad with w.mul_ so that autograd notices
# harmful: retain_graph=True
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
energy = (w * w).sum()
w.data.mul_(10)
energy.backward()
