# question: My policy gradient agent gets worse and worse: the chance of the good arm goes to zero.
# ask: explain loss
# ask: diagnose step
# cause: the sign of the objective is wrong: log_prob * reward is minimised, it must be maximised
# line: loss = (logp * reward).mean()
# cure: put a minus before it: loss = -(logp * reward).mean() || optimizer with maximize=True
# harmful: raise the learning rate
import torch
from torch import nn

torch.manual_seed(7)
payout = torch.tensor([0.1, 0.2, 1.0])


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(3))

    def forward(self):
        return torch.log_softmax(self.scores, dim=0)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.1)


def step():
    with torch.no_grad():
        actions = torch.multinomial(policy().exp(), 64, replacement=True)
    reward = payout[actions]
    logp = policy()[actions]
    loss = (logp * reward).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


for episode in range(30):
    loss = step()
