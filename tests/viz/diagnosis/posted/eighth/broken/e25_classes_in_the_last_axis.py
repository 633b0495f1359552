# ask: explain error
# ask: diagnose for step in range(10)
# cause: classes must be in dim 1: logits (4,10,15) with targets (4,10).
# line: loss = nn.functional.cross_entropy(proj(h), dst)
# cure: `.transpose(1, 2)`, or flatten both.
# harmful: one-hot without care; transposing targets; averaging over time.
import torch
import torch.nn as nn

torch.manual_seed(24)
emb = nn.Embedding(15, 8)
rnn = nn.GRU(8, 20, batch_first=True)
proj = nn.Linear(20, 15)
params = [p for m in (emb, rnn, proj) for p in m.parameters()]
opt = torch.optim.Adam(params, lr=1e-2)

for step in range(10):
    line = torch.randint(0, 15, (4, 11))
    src, dst = line[:, :-1], line[:, 1:]
    h, _ = rnn(emb(src))
    loss = nn.functional.cross_entropy(proj(h), dst)
    opt.zero_grad()
    loss.backward()
    opt.step()
