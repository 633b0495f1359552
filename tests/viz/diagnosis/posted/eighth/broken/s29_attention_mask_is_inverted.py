# ask: explain loss in main
# ask: diagnose for step in range(300)
# cause: the mask is the wrong way round: real tokens are filled with -1e9, attention sees the padding only.
# line: s = s.masked_fill(real, -1e9)
# cure: `~real`; `masked_fill(real == 0, ...)`.
# harmful: removing the mask (= partial at best); mask after softmax; dim change.
import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, vocab, d=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.q = nn.Parameter(torch.randn(d) * 0.3)
        self.k = nn.Linear(d, d)
        self.v = nn.Linear(d, d)
        self.cls = nn.Linear(d, 2)

    def forward(self, ids, real):
        e = self.emb(ids)
        s = self.k(e) @ self.q / 4.0
        s = s.masked_fill(real, -1e9)
        w = torch.softmax(s, dim=1)
        return self.cls((w.unsqueeze(-1) * self.v(e)).sum(1))


def docs(n, vocab=20, longest=12):
    ids = torch.randint(2, vocab, (n, longest))
    length = torch.randint(4, longest, (n,))
    real = torch.arange(longest)[None] < length[:, None]
    y = torch.randint(0, 2, (n,))
    ids[torch.arange(n), torch.randint(0, 4, (n,))] = y + 18
    ids[(ids >= 18) & (torch.arange(longest)[None] >= 4)] = 5
    return ids.masked_fill(~real, 0), real, y


def main():
    torch.manual_seed(26)
    m = Reader(20)
    opt = torch.optim.Adam(m.parameters(), lr=5e-3)
    for step in range(300):
        ids, real, y = docs(64)
        loss = nn.functional.cross_entropy(m(ids, real), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            print(step, loss.item())
    ids, real, y = docs(500)
    print("acc", (m(ids, real).argmax(1) == y).float().mean().item())


main()
