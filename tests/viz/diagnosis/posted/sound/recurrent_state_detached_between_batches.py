import torch
from torch import nn

torch.manual_seed(0)
lstm = nn.LSTM(1, 8)
decoder = nn.Linear(8, 1)
optimizer = torch.optim.Adam([*lstm.parameters(), *decoder.parameters()], lr=0.03)
wave = torch.sin(torch.linspace(0, 12, 31)).reshape(31, 1, 1)
losses = []
for epoch in range(8):
    hidden = None
    total = 0.0
    for start in range(0, 30, 10):
        batch, following = wave[start : start + 10], wave[start + 1 : start + 11]
        if hidden is not None:
            hidden = tuple(part.detach() for part in hidden)
        output, hidden = lstm(batch, hidden)
        loss = nn.functional.mse_loss(decoder(output), following)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    losses.append(total)
