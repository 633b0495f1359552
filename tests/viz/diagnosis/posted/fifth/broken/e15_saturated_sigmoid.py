# ask: explain loss
# ask: diagnose for i in range(50)
# cause: raw inputs in the thousands saturate the sigmoid: its derivative is exactly 0, so fc1 gets (nearly) zero gradients.
# line: h = torch.sigmoid(self.fc1(x))
# good: the sigmoid is saturated (derivative 0) since inputs are huge; normalise inputs.
# harmful: raise the rate; asserts another cause.
import torch
from torch import nn
torch.manual_seed(14)
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 8)
        self.fc2 = nn.Linear(8, 1)
    def forward(self, x):
        h = torch.sigmoid(self.fc1(x))
        return self.fc2(h)
salary = torch.rand(40, 3) * 80000 + 20000
price = salary.mean(1, keepdim=True) / 10000
net = MLP()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for i in range(50):
    loss = nn.functional.mse_loss(net(salary), price)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), net.fc1.weight.grad.abs().max().item())
