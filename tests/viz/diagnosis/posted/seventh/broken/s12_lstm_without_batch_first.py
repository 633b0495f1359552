# ask: explain loss
# ask: diagnose for step in range(200)
# cause: the LSTM is built without `batch_first=True` while the data are (batch, time, feature): it runs over the batch as if it were time, and `out[:, -1]` sees only each sample's own last step, mixed with other samples.
# line: self.lstm = nn.LSTM(4, 24)
# cure: `batch_first=True` (or transpose the input and take out[-1]).
# harmful: larger hidden size; `out[-1]` alone without transposing (batch size mismatch / wrong); reshape/view (B,T,F)->(T,B,F).
import torch
import torch.nn as nn

torch.manual_seed(11)


class SeqClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 24)
        self.out = nn.Linear(24, 2)

    def forward(self, x):          # x: batch, time, features
        out, (h, c) = self.lstm(x)
        return self.out(out[:, -1])


def make_batch(n=64, t=8):
    x = torch.randn(n, t, 4)
    y = (x[:, :3, 0].sum(1) > 0).long()      # decided by the first steps
    return x, y


model = SeqClassifier()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
crit = nn.CrossEntropyLoss()

for step in range(200):
    xb, yb = make_batch()
    logits = model(xb)
    loss = crit(logits, yb)
    opt.zero_grad()
    loss.backward()
    opt.step()
xt, yt = make_batch(256)
print("test acc", (model(xt).argmax(1) == yt).float().mean().item())
