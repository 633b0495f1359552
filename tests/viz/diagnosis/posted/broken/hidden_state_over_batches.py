import torch
from torch import nn

torch.manual_seed(0)
lstm = nn.LSTM(3, 6)
decoder = nn.Linear(6, 1)
optimizer = torch.optim.SGD([*lstm.parameters(), *decoder.parameters()], lr=0.1)
text = torch.randn(30, 4, 3)
hidden = None
for batch in text.split(10):
    output, hidden = lstm(batch, hidden)
    loss = decoder(output).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
