# ask: explain loss
# ask: diagnose for step in range(150)
# cause: the language model has no causal mask: each position attends to the very token it is to predict, so the loss falls to 0 while nothing usable is learnt (with the mask the loss cannot go below the entropy of the data).
# line: h = self.encoder(self.emb(x) + self.pos(torch.arange(x.size(1))))
# cure: pass `mask=nn.Transformer.generate_square_subsequent_mask(T)` (and is_causal=True).
# harmful: calling it sound because the loss falls; key_padding_mask instead; inverted mask (tril set to -inf).
import torch
import torch.nn as nn

torch.manual_seed(13)
V, T = 12, 12


class TinyGPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 32)
        self.pos = nn.Embedding(T, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.lm_head = nn.Linear(32, V)

    def forward(self, x):
        h = self.encoder(self.emb(x) + self.pos(torch.arange(x.size(1))))
        return self.lm_head(h)


model = TinyGPT()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
loss_fn = nn.CrossEntropyLoss()

for step in range(150):
    seq = torch.randint(0, V, (32, T + 1))
    inp, tgt = seq[:, :-1], seq[:, 1:]
    logits = model(inp)
    loss = loss_fn(logits.reshape(-1, V), tgt.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "although the tokens are random")
