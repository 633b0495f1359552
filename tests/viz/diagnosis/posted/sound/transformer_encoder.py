import torch
from torch import nn

torch.manual_seed(0)
encoder = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
head = nn.Linear(8, 2)
opt = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.01)
sequences = torch.randn(12, 5, 8)
label = (sequences[:, 0, 0] > 0).long()
losses = []
for step in range(20):
    loss = nn.functional.cross_entropy(head(encoder(sequences).mean(1)), label)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
