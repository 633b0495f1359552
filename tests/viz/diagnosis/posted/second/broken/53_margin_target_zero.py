# question: I train a ranker with MarginRankingLoss, the loss equals the margin for ever and grads are zero.
# ask: explain score_w
# ask: diagnose step
# cause: MarginRankingLoss wants targets 1 or -1; with target 0 the scores are multiplied by zero
# line: order = torch.zeros(20)
# cure: targets of 1 (first is higher) or -1 (second is higher)
# harmful: raise the margin
import torch
from torch import nn

torch.manual_seed(53)
scorer = nn.Linear(5, 1)
score_w = scorer.weight
better, worse = torch.randn(20, 5) + 1, torch.randn(20, 5)
order = torch.zeros(20)
rank_loss = nn.MarginRankingLoss(margin=0.5)
opt = torch.optim.SGD(scorer.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    loss = rank_loss(scorer(better).squeeze(1), scorer(worse).squeeze(1), order)
    loss.backward()
    opt.step()
    return loss


for _ in range(15):
    loss = step()
