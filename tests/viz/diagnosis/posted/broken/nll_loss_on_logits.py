import torch
import torch.nn as nn
import torch.nn.functional as F


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 6)
        self.tag = nn.Linear(6, tags)

    def forward(self, sentence):
        return self.tag(self.embed(sentence))


torch.manual_seed(0)
model = Tagger(20, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
x = torch.randint(0, 20, (40,))
y = x % 4
values = []
for _ in range(25):
    model.zero_grad()
    loss = F.nll_loss(model(x), y)
    loss.backward()
    opt.step()
    values.append(loss.item())
