# question: theta.grad stays None in my physics fit.
# ask: explain theta
# cause: torch.tensor(theta) copies the number without history, so the loss does not depend on theta
# line: matrix = torch.tensor([[theta[0], 0.0], [0.0, theta[1]]], requires_grad=True)
# cure: torch.diag(theta), or torch.stack
# harmful: retain_graph; create_graph
import torch
from torch import nn
import torch.nn.functional as F

theta = torch.tensor([1.0, 2.0], requires_grad=True)
matrix = torch.tensor([[theta[0], 0.0], [0.0, theta[1]]], requires_grad=True)
loss = (matrix @ torch.ones(2)).pow(2).sum()
loss.backward()
print(theta.grad)
