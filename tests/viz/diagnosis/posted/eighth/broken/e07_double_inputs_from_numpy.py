# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: inputs from numpy are float64, weights float32.
# line: pred = fitter(A)
# line: B = torch.from_numpy(resp).float().unsqueeze(1)
# cure: `.float()` on A (or model.double() with B double).
# harmful: `.double()` of the model alone (then the loss/targets clash? mse promotes: acceptable if it runs).
import numpy as np
import torch
import torch.nn as nn

rng = np.random.default_rng(6)
grid = rng.normal(size=(100, 3))
resp = grid @ np.array([1.0, 2.0, -1.0])

A = torch.from_numpy(grid)
B = torch.from_numpy(resp).float().unsqueeze(1)

torch.manual_seed(6)
fitter = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(fitter.parameters(), lr=1e-2)
for epoch in range(10):
    pred = fitter(A)
    loss = nn.functional.mse_loss(pred, B)
    opt.zero_grad()
    loss.backward()
    opt.step()
