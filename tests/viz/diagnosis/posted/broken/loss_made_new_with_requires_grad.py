import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(10, 2)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
texts = torch.rand(20, 10)
labels = torch.randint(0, 2, (20,))
for epoch in range(5):
    optimizer.zero_grad()
    out = model(texts)
    loss = torch.tensor(criterion(out, labels).item(), requires_grad=True)
    loss.backward()
    optimizer.step()
    print("epoch", epoch, "loss", loss.item())
