import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Parameter(torch.randn(5)) * 0.01
        self.value = nn.Linear(5, 1)

    def forward(self, words):
        weights = torch.softmax(words @ self.query, dim=1)
        return self.value((weights.unsqueeze(2) * words).sum(dim=1))


torch.manual_seed(0)
attention = Attention()
opt = torch.optim.Adam(attention.parameters(), lr=0.01)
words, wanted = torch.randn(10, 7, 5), torch.randn(10, 1)
for step in range(6):
    loss = nn.functional.mse_loss(attention(words), wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
