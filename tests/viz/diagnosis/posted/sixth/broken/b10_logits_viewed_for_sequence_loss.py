# ask: explain loss
# ask: diagnose for epoch in range(80)
# cause: logits (B, T, C) are brought to (B, C, T) by view rather than transpose: classes and time are mixed.
# line: loss = criterion(logits.view(B, C, T), tags)
# good: view does not swap dims; use transpose(1, 2) or view(-1, C) with tags.view(-1).
# harmful: asserts another cause.
import torch
from torch import nn
torch.manual_seed(9)
B, T, C = 16, 6, 4
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(30, 12)
        self.lin = nn.Linear(12, C)
    def forward(self, w):
        return self.lin(self.emb(w))
words = torch.randint(0, 30, (B, T))
tags = words % C
model = Tagger()
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(80):
    logits = model(words)
    loss = criterion(logits.view(B, C, T), tags)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", (model(words).argmax(2) == tags).float().mean().item())
