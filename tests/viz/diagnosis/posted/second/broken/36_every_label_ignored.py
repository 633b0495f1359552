# question: Token classifier: the loss is nan in the very first iteration, the logits are fine.
# ask: explain loss
# ask: diagnose step
# cause: each target equals ignore_index, so the mean is taken over nothing: 0/0
# line: criterion = nn.CrossEntropyLoss(ignore_index=0) || tags = torch.zeros(12, dtype=torch.long)
# cure: use another ignore_index (-100) or labels that are not all ignored || skip batches without a label
# harmful: nan_to_num on the loss; lower learning rate
import torch
from torch import nn

torch.manual_seed(36)
tags = torch.zeros(12, dtype=torch.long)
tokens = torch.randn(12, 5)
tagger = nn.Linear(5, 4)
criterion = nn.CrossEntropyLoss(ignore_index=0)
opt = torch.optim.SGD(tagger.parameters(), lr=0.1)


def step():
    opt.zero_grad()
    loss = criterion(tagger(tokens), tags)
    loss.backward()
    opt.step()
    return loss


for _ in range(5):
    loss = step()
