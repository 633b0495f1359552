# ask: explain loss
# ask: diagnose for step in range(100)
# cause: weight tying `decoder.weight = emb.weight`.
# good: nothing found.
# harmful: untie, "parameter twice".
import torch
import torch.nn as nn

torch.manual_seed(6)
V = 20


class TiedLM(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.embed = nn.Embedding(V, d)
        self.lstm = nn.LSTM(d, d, batch_first=True)
        self.decoder = nn.Linear(d, V, bias=False)
        self.decoder.weight = self.embed.weight      # tied

    def forward(self, ids):
        h, _ = self.lstm(self.embed(ids))
        return self.decoder(h)


lm = TiedLM()
opt = torch.optim.Adam(lm.parameters(), lr=1e-2)
start = torch.randint(0, V, (64, 1))
seq = (start + 3 * torch.arange(9)) % V

for step in range(100):
    logits = lm(seq[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), seq[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
print(loss.item())
