# ask: explain loss
# ask: diagnose for step in range(200)
# cause: sound; what looks suspicious and is meant: the output layer shares the weight of the embedding.
# good: nothing found.
# harmful: any claim of a fault.
import torch
from torch import nn

V, D = 20, 16


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(V, D)
        self.r = nn.GRU(D, D, batch_first=True)
        self.o = nn.Linear(D, V, bias=False)
        self.o.weight = self.e.weight

    def forward(self, t):
        return self.o(self.r(self.e(t))[0])


torch.manual_seed(7)
lm = LM()
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
for step in range(200):
    start = torch.randint(0, V, (16, 1))
    t = (start + 3 * torch.arange(9)) % V
    loss = nn.functional.cross_entropy(lm(t[:, :-1]).transpose(1, 2), t[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item())
