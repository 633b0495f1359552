# ask: explain error
# ask: diagnose for t in range(0, 60, 10)
# cause: the LSTM's hidden state is carried from batch to batch with its graph; the second backward runs into the freed graph of the first batch.
# line: out, hidden = rnn(x, hidden)
# cure: `hidden = tuple(h.detach() for h in hidden)` in each iteration (truncated BPTT).
# harmful: `retain_graph=True` (grows without end, then version error); detaching `out`.
import torch
import torch.nn as nn

torch.manual_seed(3)
rnn = nn.LSTM(input_size=3, hidden_size=8, batch_first=True)
fc = nn.Linear(8, 1)
optimizer = torch.optim.Adam(list(rnn.parameters()) + list(fc.parameters()), lr=1e-2)
mse = nn.MSELoss()
stream = torch.randn(4, 60, 3)
hidden = (torch.zeros(1, 4, 8), torch.zeros(1, 4, 8))

for t in range(0, 60, 10):
    x = stream[:, t:t + 10]
    out, hidden = rnn(x, hidden)
    loss = mse(fc(out), x.sum(2, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
