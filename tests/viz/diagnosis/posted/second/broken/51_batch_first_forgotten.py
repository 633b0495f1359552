# question: My LSTM cannot even learn to repeat the first value of the series; data is (batch, time, feature).
# ask: explain loss
# ask: diagnose step
# cause: batch_first=True is missing, so the LSTM takes the batch axis for time and mixes the samples
# line: self.lstm = nn.LSTM(1, 10)
# cure: nn.LSTM(1, 10, batch_first=True) || transpose the input to (time, batch, feature)
# harmful: more hidden units
import torch
from torch import nn


class Echo(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(1, 10)
        self.fc = nn.Linear(10, 1)

    def forward(self, series):
        out, _ = self.lstm(series)
        return self.fc(out[:, -1])


torch.manual_seed(51)
echo = Echo()
opt = torch.optim.Adam(echo.parameters(), lr=0.02)


def step():
    series = torch.randn(40, 3, 1)
    first_value = series[:, 0]
    opt.zero_grad()
    loss = nn.functional.mse_loss(echo(series), first_value)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
