import torch
from torch import nn


class Forecast(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.hidden = hidden
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, series):
        h0 = torch.zeros(1, len(series), self.hidden)
        c0 = torch.zeros(1, len(series), self.hidden)
        out, (hn, cn) = self.lstm(series, (h0, c0))
        return self.head(h0[-1])


torch.manual_seed(0)
net = Forecast()
opt = torch.optim.Adam(net.parameters(), lr=0.05)
series = torch.randn(16, 5, 1)
following = series.sum(dim=1)
for epoch in range(6):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(series), following)
    loss.backward()
    opt.step()
