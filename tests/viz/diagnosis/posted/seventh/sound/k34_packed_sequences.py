# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: padded sequences: pack_padded_sequence and a masked mean of the loss.
# good: nothing found.
# harmful: drop the mask.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(33)
emb = nn.Embedding(20, 12, padding_idx=0)
lstm = nn.LSTM(12, 24, batch_first=True, bidirectional=True)
fc = nn.Linear(48, 4)
optimizer = torch.optim.Adam([*emb.parameters(), *lstm.parameters(), *fc.parameters()], lr=1e-2)
lengths = torch.randint(3, 9, (32,))
lengths[0] = 8
mask = torch.arange(8)[None, :] < lengths[:, None]
tok = torch.randint(1, 20, (32, 8)) * mask
tag = tok % 4

for epoch in range(40):
    packed = pack_padded_sequence(emb(tok), lengths, batch_first=True, enforce_sorted=False)
    h, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True)
    per_token = F.cross_entropy(fc(h).transpose(1, 2), tag, reduction="none")
    loss = (per_token * mask).sum() / mask.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
