# ask: explain loss
# ask: diagnose for epoch in range(60)
# cause: the gradients are never zeroed, so they add up over all steps; with lr=0.1 SGD oscillates/diverges.
# line: (missing) before loss.backward(): optimizer.zero_grad()
# cure: `optimizer.zero_grad()` in each iteration.
# harmful: lowering lr or clipping instead; `retain_graph=True`; zero_grad between backward and step.
import torch
import torch.nn as nn

torch.manual_seed(4)
x = torch.randn(128, 5)
true_w = torch.tensor([[1.0], [-2.0], [0.5], [3.0], [-1.0]])
y = x @ true_w + 0.3

model = nn.Linear(5, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(60):
    y_pred = model(x)
    loss = criterion(y_pred, y)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(epoch, loss.item())
