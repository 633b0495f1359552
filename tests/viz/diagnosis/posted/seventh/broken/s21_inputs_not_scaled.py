# ask: explain loss
# ask: diagnose for epoch in range(300)
# cause: inputs are not scaled (columns from 0-1 up to 1e5): the first SGD steps blow up / kill the ReLUs and the net predicts a constant (or NaN).
# line: X = torch.stack([age, income, rate], dim=1)
# cure: standardise the columns (and, if wished, the target).
# harmful: only lowering lr to 1e-12; clamping the loss / nan_to_num; removing hidden layers.
import torch
import torch.nn as nn

torch.manual_seed(20)
n = 300
age = torch.randint(18, 80, (n,)).float()
income = torch.rand(n) * 90000 + 10000
rate = torch.rand(n)
X = torch.stack([age, income, rate], dim=1)
y = (0.02 * age + income / 50000 - 2 * rate).unsqueeze(1)

model = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(300):
    pred = model(X)
    loss = criterion(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 100 == 0:
        print("Epoch", epoch, "loss", loss.item())
print(loss.item())
