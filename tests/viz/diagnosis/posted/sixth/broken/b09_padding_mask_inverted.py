# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: key_padding_mask marks the real tokens with True; True means "ignore", so attention sees only padding.
# line: mask = tokens != 0
# good: the mask must be True where padding is (tokens == 0).
# harmful: drop the mask with assertion; nan_to_num.
import torch
from torch import nn
torch.manual_seed(8)
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 16, padding_idx=0)
        self.att = nn.MultiheadAttention(16, 2, batch_first=True)
        self.out = nn.Linear(16, 2)
    def forward(self, tokens):
        mask = tokens != 0
        e = self.emb(tokens)
        z, _ = self.att(e, e, e, key_padding_mask=mask)
        return self.out(z.mean(1))
tokens = torch.randint(1, 20, (60, 8))
tokens[:, 6:] = 0
labels = (tokens[:, 0] > 10).long()
model = Encoder()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(40):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(model(tokens), labels)
    loss.backward()
    opt.step()
print("loss", loss.item(), "acc", (model(tokens).argmax(1) == labels).float().mean().item())
