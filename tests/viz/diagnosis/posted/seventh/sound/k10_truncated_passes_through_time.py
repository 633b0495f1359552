# ask: explain loss
# ask: diagnose for epoch in range(8)
# cause: truncated BPTT, hidden detached between chunks (not within).
# good: nothing found.
# harmful: retain_graph.
import torch
import torch.nn as nn

torch.manual_seed(9)
rnn = nn.GRU(1, 24, batch_first=True)
lin = nn.Linear(24, 1)
opt = torch.optim.Adam([*rnn.parameters(), *lin.parameters()], lr=1e-2)
t = torch.linspace(0, 40, 401)
phase = torch.rand(8, 1) * 6.28
wave = torch.sin(t.unsqueeze(0) + phase).unsqueeze(-1)

for epoch in range(8):
    h = torch.zeros(1, 8, 24)
    for k in range(0, 400, 40):
        h = h.detach()                     # truncated BPTT: the graph ends at the chunk
        out, h = rnn(wave[:, k:k + 40], h)
        loss = nn.functional.mse_loss(lin(out), wave[:, k + 1:k + 41])
        opt.zero_grad()
        loss.backward()
        opt.step()
print(loss.item())
