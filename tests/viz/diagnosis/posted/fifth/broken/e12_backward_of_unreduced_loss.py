# ask: explain error
# ask: diagnose for _ in range(3)
# cause: reduction='none' gives one loss per sample; backward() needs a scalar.
# line: loss = criterion(model(x), y) * weights
# good: loss has 10 elements; take mean()/sum() of it.
# harmful: backward(torch.ones...) is OK; harmful: loss[0].backward() or detach.
import torch
from torch import nn
torch.manual_seed(11)
criterion = nn.CrossEntropyLoss(reduction='none')
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(10, 4)
y = torch.randint(0, 3, (10,))
weights = torch.rand(10)
for _ in range(3):
    optimizer.zero_grad()
    loss = criterion(model(x), y) * weights
    loss.backward()
    optimizer.step()
