# ask: explain loss
# ask: diagnose for i in range(40)
# cause: sound; what looks suspicious and is meant: a closure.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

torch.manual_seed(10)
x = torch.linspace(-2, 2, 80).unsqueeze(1)
y = torch.sin(3 * x)
net = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=10, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    return loss


for i in range(40):
    loss = opt.step(closure)
print("mse", loss.item())
