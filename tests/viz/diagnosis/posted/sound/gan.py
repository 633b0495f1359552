import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
D = nn.Sequential(nn.Linear(1, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=0.05)
opt_d = torch.optim.Adam(D.parameters(), lr=0.05)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
start = (G(torch.randn(200, 2)).mean() - 3).abs().item()
for step in range(50):
    real = torch.randn(16, 1) * 0.5 + 3
    fake = G(torch.randn(16, 2))

    opt_d.zero_grad()
    loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()

    opt_g.zero_grad()
    loss_g = bce(D(fake), ones)
    loss_g.backward()
    opt_g.step()
end = (G(torch.randn(200, 2)).mean() - 3).abs().item()
