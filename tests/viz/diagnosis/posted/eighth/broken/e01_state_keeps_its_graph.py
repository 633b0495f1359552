# ask: explain error
# ask: diagnose for k in range(0, 380, 20)
# cause: state is carried over with its graph.
# line: loss.backward()
# line: out, state = rnn(x, state)
# cure: `state = state.detach()`.
# harmful: `retain_graph=True` (then in-place error / grows); removing state altogether is a partial cure.
import torch
import torch.nn as nn

torch.manual_seed(0)
wave = torch.sin(torch.arange(0, 400) * 0.1)
rnn = nn.GRU(1, 16, batch_first=True)
lin = nn.Linear(16, 1)
opt = torch.optim.Adam(list(rnn.parameters()) + list(lin.parameters()), lr=1e-2)
state = torch.zeros(1, 1, 16)

for k in range(0, 380, 20):
    x = wave[k:k + 20].view(1, 20, 1)
    y = wave[k + 1:k + 21].view(1, 20, 1)
    out, state = rnn(x, state)
    loss = ((lin(out) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(k, loss.item())
