# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: targets of ~250000 unscaled with Adam lr 1e-3: in 2400 steps the output can hardly leave 0.
# line: price = 2600 * area - 1100 * age + 40000 + torch.randn(600, 1) * 5000
# line: loader = DataLoader(TensorDataset(inputs, price), batch_size=50, shuffle=True)
# line: loss = crit(reg(a), b)
# line: opt = torch.optim.Adam(reg.parameters(), lr=1e-3)
# cure: standardise the price (and undo for prediction); much larger lr (>= 1) or initial bias at the mean = acceptable.
# harmful: lower lr; gradient clipping; ReLU at the end.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(18)
rooms = torch.randint(1, 8, (600, 1)).float()
area = rooms * 18 + torch.randn(600, 1) * 12 + 20
age = torch.rand(600, 1) * 60
price = 2600 * area - 1100 * age + 40000 + torch.randn(600, 1) * 5000
inputs = torch.cat([rooms, area, age], 1)
inputs = (inputs - inputs.mean(0)) / inputs.std(0)

loader = DataLoader(TensorDataset(inputs, price), batch_size=50, shuffle=True)
reg = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(reg.parameters(), lr=1e-3)
crit = nn.MSELoss()

for epoch in range(100):
    for a, b in loader:
        loss = crit(reg(a), b)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 20 == 0:
        print(epoch, f"{loss.item():.4g}")

with torch.no_grad():
    out = reg(inputs)
print("predicted", out.mean().item(), "actual", price.mean().item())
