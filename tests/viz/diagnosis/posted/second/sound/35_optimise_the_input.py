# question: The network is frozen and I optimise the picture.
# ask: explain loss
# ask: diagnose step
# ask: explain image
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(35)
net = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 3)).requires_grad_(False)
image = torch.zeros(1, 10, requires_grad=True)
opt = torch.optim.Adam([image], lr=0.1)


def step():
    loss = F.cross_entropy(net(image), torch.tensor([1])) + 0.001 * image.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
