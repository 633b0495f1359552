# ask: explain loss
# ask: diagnose for epoch in range(100)
# cause: `model.eval()` for validation inside the loop and never `model.train()` again: from the 2nd epoch on the heavy dropout is off during training, and the net overfits (validation loss soars).
# line: model.eval()
# cure: `model.train()` at the beginning of each epoch (or after the validation).
# harmful: removing the dropout layers; wrapping training in no_grad. (Deleting the eval() call is half a cure only: training is right, but the validation then runs with dropout on.)
import torch
import torch.nn as nn

torch.manual_seed(3)
X = torch.randn(560, 30)
w = torch.randn(30)
noise = 3.0 * torch.randn(560)
y = (X @ w + noise > 0).float().unsqueeze(1)
X_tr, y_tr, X_va, y_va = X[:60], y[:60], X[60:], y[60:]

model = nn.Sequential(
    nn.Dropout(0.4), nn.Linear(30, 64), nn.ReLU(), nn.Dropout(0.6), nn.Linear(64, 1))
crit = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(100):
    for k in range(2):
        xb, yb = X_tr[k * 30:(k + 1) * 30], y_tr[k * 30:(k + 1) * 30]
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        val = crit(model(X_va), y_va)
    if epoch % 20 == 0:
        print(f"epoch {epoch} train {loss.item():.3f} val {val.item():.3f}")
