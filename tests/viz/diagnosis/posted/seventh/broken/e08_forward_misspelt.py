# ask: explain error
# ask: diagnose for i in range(10)
# cause: `forward` is misspelt (`foward`), so nn.Module has no forward.
# line: def foward(self, x):
# cure: rename to `forward`.
# harmful: calling model.foward(x) directly (bypasses hooks; tolerable at most), `__call__` overriding.
import torch
import torch.nn as nn


class Autoencoder(nn.Module):
    def __init__(self, d):
        super(Autoencoder, self).__init__()
        self.down = nn.Sequential(nn.Linear(d, 8), nn.ReLU())
        self.up = nn.Linear(8, d)

    def foward(self, x):
        return self.up(self.down(x))


torch.manual_seed(7)
ae = Autoencoder(20)
opt = torch.optim.Adam(ae.parameters(), lr=1e-3)
batch = torch.rand(32, 20)

for i in range(10):
    opt.zero_grad()
    recon = ae(batch)
    loss = nn.functional.mse_loss(recon, batch)
    loss.backward()
    opt.step()
