# ask: explain error
# ask: diagnose for epoch in range(2)
# cause: nn.LSTM returns (output, state); the tuple is passed to Linear by Sequential.
# line: model = nn.Sequential(nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 1))
# good: LSTM returns a tuple; take its first element.
# harmful: wrong other cause.
import torch
from torch import nn
torch.manual_seed(13)
model = nn.Sequential(nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(10, 5, 4), torch.randn(10, 5, 1)
for epoch in range(2):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
