# ask: explain loss
# ask: diagnose for it in range(300)
# cause: LSTM without `batch_first=True` gets (batch, time, 1): it runs along the batch, and `out[:, -1]` is not the last step of each sequence.
# line: self.lstm = nn.LSTM(1, 32)
# line: out, _ = self.lstm(x)
# line: return self.fc(out[:, -1])
# line: x = torch.rand(48, 12, 1) - 0.5
# cure: `batch_first=True`; or transpose the input and take `out[-1]`.
# harmful: `out[-1]` only (wrong shape); larger hidden size/ lr.
import torch
import torch.nn as nn


class Summer(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 32)
        self.fc = nn.Linear(32, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1])


torch.manual_seed(14)
net = Summer()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
mse = nn.MSELoss()
for it in range(300):
    x = torch.rand(48, 12, 1) - 0.5
    y = x.sum(1)
    loss = mse(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, loss.item())

with torch.no_grad():
    x = torch.rand(48, 12, 1) - 0.5
    print("mse", mse(net(x), x.sum(1)).item(), "var", x.sum(1).var().item())
