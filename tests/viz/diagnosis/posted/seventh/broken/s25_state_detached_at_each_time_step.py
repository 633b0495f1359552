# ask: explain loss
# ask: diagnose for step in range(150)
# cause: the hidden state is detached at each time step inside the sequence: no gradient flows back in time, the cue of the first step cannot be learnt.
# line: h = h.detach()
# cure: remove it (or detach only between sequences/chunks).
# harmful: retain_graph=True; bigger hidden size; with no_grad around the recurrence.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(24)
cell = nn.GRUCell(3, 20)
readout = nn.Linear(20, 2)
params = list(cell.parameters()) + list(readout.parameters())
optimizer = torch.optim.Adam(params, lr=1e-2)


def run_sequence(xs):
    h = torch.zeros(xs.size(1), 20)
    for x_t in xs:
        h = cell(x_t, h)
        h = h.detach()          # saves memory
    return readout(h)


for step in range(150):
    xs = torch.randn(10, 64, 3) * 0.5
    y = torch.randint(0, 2, (64,))
    xs[0, :, 0] = y.float() * 4 - 2     # the cue comes first
    loss = F.cross_entropy(run_sequence(xs), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("final loss", loss.item())
