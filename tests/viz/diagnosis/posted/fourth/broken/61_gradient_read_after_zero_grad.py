# question: I want to log gradient norms, model.weight.grad is None after every step.
# ask: explain model.weight
# cause: zero_grad() sets the gradients to None before they are read
# line: opt.zero_grad()
# cure: read the gradients between backward() and zero_grad()
# harmful: retain_graph=True; retain_grad
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(61)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(10, 3), torch.randn(10, 1)
for _ in range(3):
    loss = F.mse_loss(model(x), y)
    loss.backward()
    opt.step()
    opt.zero_grad()
print(model.weight.grad)
