# ask: explain loss
# ask: diagnose for epoch in range(40)
# cause: the inputs (up to 100) are not scaled and lr=0.01 is too large for them: the loss grows to inf and NaN.
# line: optimizer = torch.optim.SGD([w, b], lr=0.01)
# good: the steps overshoot/diverge; smaller rate or normalise x.
# harmful: nan_to_num, larger rate.
import torch
torch.manual_seed(3)
x = torch.arange(100.0)
y = 0.7 * x + 12
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w, b], lr=0.01)
for epoch in range(40):
    prediction = w * x + b
    loss = ((prediction - y) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", loss.item(), w.item())
