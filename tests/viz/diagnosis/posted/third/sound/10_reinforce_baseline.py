# question: Policy gradient with a baseline over the batch.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)
logits = torch.zeros(3, requires_grad=True)
opt = torch.optim.Adam([logits], lr=0.1)
payout = torch.tensor([0.0, 0.5, 1.0])


def step():
    logp = torch.log_softmax(logits, 0)
    with torch.no_grad():
        actions = torch.multinomial(logp.exp(), 32, replacement=True)
        reward = payout[actions]
        advantage = reward - reward.mean()
    loss = -(advantage * logp[actions]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss

for _ in range(20):
    loss = step()
