# ask: explain loss
# ask: diagnose for i in range(40)
# cause: a language model with the decoder tied to the embedding.
# good: nothing found.
# harmful: untie.
import torch
from torch import nn
torch.manual_seed(10)
class LM(nn.Module):
    def __init__(self, vocab=12, d=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.dec = nn.Linear(d, vocab, bias=False)
        self.dec.weight = self.emb.weight
    def forward(self, tok):
        h, _ = self.rnn(self.emb(tok))
        return self.dec(h)
lm = LM()
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
start = torch.randint(0, 12, (16, 1))
seq = (start + torch.arange(10)) % 12
for i in range(40):
    logits = lm(seq[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, 12), seq[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
