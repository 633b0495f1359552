# question: After a few epochs training freezes: the loss is the same to the last digit from epoch 5 on.
# ask: explain loss
# ask: diagnose step
# cause: the scheduler's gamma is 0, so after step_size steps the learning rate is 0
# line: decay = torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0)
# cure: use a gamma above 0 (1 keeps the rate; 0.1 or 0.5 lowers it) || take the scheduler out
# harmful: train longer
import torch
from torch import nn

torch.manual_seed(5)
data = torch.randn(50, 6)
target = data @ torch.tensor([[1.0], [-2.0], [0.5], [3.0], [0.0], [-1.0]])
vae_like = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(vae_like.parameters(), lr=0.01)
decay = torch.optim.lr_scheduler.StepLR(opt, step_size=3, gamma=0)


def step():
    loss = ((vae_like(data) - target) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    decay.step()
    return loss


for epoch in range(28):
    loss = step()
