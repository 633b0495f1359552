# ask: explain loss
# ask: diagnose for it in range(200)
# cause: seq2seq with teacher forcing by chance, decoder input from argmax detached on purpose.
# good: nothing found.
# harmful: "argmax breaks the gradient".
import random
import torch
import torch.nn as nn

random.seed(0)
torch.manual_seed(34)
V, H = 8, 32
emb = nn.Embedding(V + 1, H)              # V = <sos>
enc, dec = nn.GRU(H, H, batch_first=True), nn.GRUCell(H, H)
out = nn.Linear(H, V)
mods = nn.ModuleList([emb, enc, dec, out])
opt = torch.optim.Adam(mods.parameters(), lr=5e-3)

for it in range(200):
    src = torch.randint(0, V, (32, 4))
    tgt = src.flip(1)
    _, h = enc(emb(src))
    h, tok, loss = h[0], torch.full((32,), V), 0.0
    for t in range(4):
        h = dec(emb(tok), h)
        logits = out(h)
        loss = loss + nn.functional.cross_entropy(logits, tgt[:, t]) / 4
        tok = tgt[:, t] if random.random() < 0.7 else logits.argmax(1).detach()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
