# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: sound; what looks suspicious and is meant: targets of -100.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(14)
seqs = [torch.randint(1, 10, (int(n),)) for n in torch.randint(3, 9, (120,))]
tags = [(s % 3) for s in seqs]
ids = pad_sequence(seqs, batch_first=True, padding_value=0)
goal = pad_sequence(tags, batch_first=True, padding_value=-100)
emb, rnn, top = nn.Embedding(10, 8, padding_idx=0), nn.LSTM(8, 16, batch_first=True), nn.Linear(16, 3)
opt = torch.optim.Adam([p for m in (emb, rnn, top) for p in m.parameters()], lr=1e-2)
for epoch in range(40):
    for part in torch.randperm(120).split(30):
        out = top(rnn(emb(ids[part]))[0])
        loss = nn.functional.cross_entropy(out.flatten(0, 1), goal[part].flatten(), ignore_index=-100)
        opt.zero_grad()
        loss.backward()
        opt.step()
print("loss", loss.item())
