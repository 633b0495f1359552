# question: Clip between backward and step.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(11)
net = nn.LSTM(2, 6, batch_first=True)
head = nn.Linear(6, 1)
params = [*net.parameters(), *head.parameters()]
opt = torch.optim.SGD(params, lr=0.1)
x = torch.randn(12, 7, 2)
y = x.sum((1, 2)).unsqueeze(1)


def step():
    out, _ = net(x)
    loss = F.mse_loss(head(out[:, -1]), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    return loss

for _ in range(20):
    loss = step()
