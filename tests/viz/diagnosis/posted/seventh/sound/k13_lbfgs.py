# ask: explain loss
# ask: diagnose for i in range(20)
# cause: LBFGS with a closure that zeroes and backwards; several evaluations per step.
# good: nothing found.
# harmful: "missing zero_grad / step without backward".
import torch
import torch.nn as nn

torch.manual_seed(12)
x = torch.linspace(-3, 3, 80).unsqueeze(1)
y = torch.sin(x)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=5)


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for i in range(20):
    loss = optimizer.step(closure)
print(loss.item())
