import torch
from torch import nn

torch.manual_seed(0)
scorer = nn.Linear(4, 1)
criterion = nn.BCEWithLogitsLoss(reduction="none")
adam = torch.optim.Adam(scorer.parameters())
x, y, importance = torch.randn(9, 4), torch.randint(0, 2, (9, 1)).float(), torch.rand(9, 1)
for _ in range(2):
    loss = criterion(scorer(x), y) * importance
    adam.zero_grad()
    loss.backward()
    adam.step()
