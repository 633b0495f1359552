# ask: explain loss
# ask: diagnose for i in range(100)
# cause: `p = p - lr * p.grad` rebinds the loop's variable; the model's parameters never change.
# line: p = p - lr * p.grad
# good: the line makes a new tensor, the model keeps the old one; update in place (p -= ... / p.sub_) under no_grad.
# harmful: p.requires_grad_(); using p.data on the new tensor; removing no_grad.
import torch
from torch import nn
torch.manual_seed(9)
x = torch.linspace(-1, 1, 50).unsqueeze(1)
y = 3 * x + 1
model = nn.Linear(1, 1)
lr = 0.1
for i in range(100):
    loss = ((model(x) - y) ** 2).mean()
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p = p - lr * p.grad
print("loss", loss.item())
