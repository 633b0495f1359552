import torch
from torch import nn


class Language(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.mix = nn.Linear(width, width)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, ids):
        return self.out(torch.tanh(self.mix(self.embed(ids))))


torch.manual_seed(0)
model = Language(12, 8)
opt = torch.optim.AdamW(model.parameters(), lr=0.05)
ids = torch.randint(0, 12, (30,))
losses = []
for step in range(15):
    loss = nn.functional.cross_entropy(model(ids[:-1]), ids[1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
