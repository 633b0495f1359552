# question: Images are cut into patches with view and permute.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
images = torch.randn(6, 1, 8, 8)
y = images.mean((1, 2, 3)).unsqueeze(1)
net = nn.Linear(16, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)


def step():
    patches = images.view(6, 2, 4, 2, 4).permute(0, 1, 3, 2, 4).reshape(6, 4, 16)
    loss = F.mse_loss(net(patches).mean(1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
