# ask: explain error
# ask: diagnose for epoch in range(3)
# cause: the initial hidden state is made for batch size 16 once; the last batch has only 8 samples (40 = 16+16+8).
# line: h0 = torch.zeros(1, 16, 12)
# cure: make h0 with `x.size(0)` in each batch, or leave it out; drop_last=True is tolerable.
# harmful: padding the batch with repeated samples unnoticed; hidden_size changes; expanding x.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(22)
rnn = nn.RNN(2, 12, batch_first=True)
head = nn.Linear(12, 1)
opt = torch.optim.Adam(list(rnn.parameters()) + list(head.parameters()), lr=5e-3)
series = torch.randn(40, 9, 2)
target = series.sum(dim=(1, 2)).unsqueeze(1)
loader = DataLoader(TensorDataset(series, target), batch_size=16)
h0 = torch.zeros(1, 16, 12)

for epoch in range(3):
    for x, y in loader:
        out, hn = rnn(x, h0)
        loss = nn.functional.mse_loss(head(out[:, -1]), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
