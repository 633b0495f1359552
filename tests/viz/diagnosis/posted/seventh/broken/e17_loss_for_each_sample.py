# ask: explain error
# ask: diagnose for epoch in range(10)
# cause: `reduction="none"` gives one loss per sample; backward wants a scalar.
# line: loss.backward() / criterion = nn.CrossEntropyLoss(reduction="none")
# cure: `(weights * loss).mean().backward()` i.e. reduce after weighting (mean or sum).
# harmful: `loss[0].backward()`; `loss.item()`; dropping the sample weights by reduction="mean" (the weights are then of no effect).
import torch
import torch.nn as nn

torch.manual_seed(16)
x, y = torch.randn(48, 7), torch.randint(0, 3, (48,))
weights = torch.rand(48)                       # trust in each label
model = nn.Linear(7, 3)
criterion = nn.CrossEntropyLoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(10):
    optimizer.zero_grad()
    loss = weights * criterion(model(x), y)
    loss.backward()
    optimizer.step()
