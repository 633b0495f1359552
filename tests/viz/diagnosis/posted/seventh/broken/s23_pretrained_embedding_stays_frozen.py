# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: `nn.Embedding.from_pretrained` freezes by default (`freeze=True`): the (random) vectors never learn.
# line: self.emb = nn.Embedding.from_pretrained(torch.randn(50, 2) * 0.1)
# cure: `freeze=False` (or nn.Embedding(50, 2)).
# harmful: freeze=True stays and lr up; adding emb.weight to the optimizer without requires_grad; bigger head only.
import torch
import torch.nn as nn

torch.manual_seed(22)


class BagOfWords(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(torch.randn(50, 2) * 0.1)
        self.fc = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, tok):
        return self.fc(self.emb(tok).mean(dim=1))


polarity = torch.where(torch.rand(50) > 0.5, 1.0, -1.0)
tokens = torch.randint(0, 50, (400, 7))
sentiment = (polarity[tokens].sum(1) > 0).long()
model = BagOfWords()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()

for epoch in range(150):
    optimizer.zero_grad()
    loss = criterion(model(tokens), sentiment)
    loss.backward()
    optimizer.step()
print("train acc", (model(tokens).argmax(1) == sentiment).float().mean())
