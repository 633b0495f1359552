# question: Causal mask with -inf in my attention.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)
emb, att, out = nn.Embedding(6, 8), nn.MultiheadAttention(8, 2, batch_first=True), nn.Linear(8, 6)
opt = torch.optim.Adam([*emb.parameters(), *att.parameters(), *out.parameters()], lr=0.03)
seq = (torch.arange(9)[None] + torch.randint(0, 6, (16, 1))) % 6
mask = torch.triu(torch.full((8, 8), float("-inf")), diagonal=1)


def step():
    e = emb(seq[:, :-1])
    h, _ = att(e, e, e, attn_mask=mask, need_weights=False)
    loss = F.cross_entropy(out(h + e).reshape(-1, 6), seq[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
