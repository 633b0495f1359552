# question: log_softmax in the model with NLLLoss.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(15)
net = nn.Sequential(nn.Linear(4, 3), nn.LogSoftmax(dim=1))
opt = torch.optim.Adam(net.parameters(), lr=0.1)
x = torch.randn(50, 4)
y = x[:, :3].argmax(1)


def step():
    loss = F.nll_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
