# question: The policy loss is negative and not monotone.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(20)
logits = nn.Parameter(torch.zeros(3))
opt = torch.optim.Adam([logits], lr=0.2)
pay = torch.tensor([0.0, 0.2, 1.0])


def step():
    logp = F.log_softmax(logits, 0)
    acts = torch.multinomial(logp.detach().exp(), 128, replacement=True)
    reward = pay[acts]
    loss = -(logp[acts] * (reward - 0.4)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
