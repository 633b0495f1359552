# ask: explain loss
# ask: diagnose for step in range(150)
# cause: the logits at t are compared with the token at t itself (not t+1): the model learns to copy its input, generation is useless though loss ~ 0.
# line: loss = F.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
# line: logits = lm(ids)
# cure: `logits[:, :-1]` vs `ids[:, 1:]` (or feed `ids[:, :-1]`).
# harmful: "loss is fine/overfitting, add dropout".
import torch
import torch.nn as nn
import torch.nn.functional as F

V, H = 12, 32
torch.manual_seed(0)
nxt = torch.randperm(V)


def batch(b, t):
    s = torch.randint(0, V, (b, 1))
    cols = [s]
    for _ in range(t - 1):
        cols.append(nxt[cols[-1]])
    return torch.cat(cols, 1)


class Tongue(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, H)
        self.rnn = nn.GRU(H, H, batch_first=True)
        self.head = nn.Linear(H, V)

    def forward(self, ids):
        o, _ = self.rnn(self.emb(ids))
        return self.head(o)


lm = Tongue()
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
for step in range(150):
    ids = batch(16, 10)
    logits = lm(ids)
    loss = F.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(step, loss.item())

with torch.no_grad():
    ids = batch(64, 10)
    guess = lm(ids[:, :-1])[:, -1].argmax(-1)
    print("continues right", (guess == ids[:, -1]).float().mean().item())
