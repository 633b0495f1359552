# ask: explain loss
# ask: diagnose for epoch in range(200)
# cause: `best_state = model.state_dict()` holds references, not copies: later steps overwrite it, so the "restored best" is simply the last (overfitted/diverged) model.
# line: best_state = model.state_dict()
# cure: `copy.deepcopy(model.state_dict())` (or clone each tensor / save to file).
# harmful: shallow `dict(model.state_dict())` / `.copy()`; removing the restoration; more epochs.
import torch
import torch.nn as nn

torch.manual_seed(31)
X, Xv = torch.randn(40, 20), torch.randn(300, 20)
w = torch.zeros(20, 1); w[:3] = 1.0
y, yv = X @ w + 2.5 * torch.randn(40, 1), Xv @ w
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
crit = nn.MSELoss()
best_val, best_state = float("inf"), None

for epoch in range(200):
    model.train()
    loss = crit(model(X), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        val = crit(model(Xv), yv).item()
    if val < best_val:
        best_val = val
        best_state = model.state_dict()
model.load_state_dict(best_state)
print("best val", best_val, "restored val", crit(model(Xv), yv).item())
