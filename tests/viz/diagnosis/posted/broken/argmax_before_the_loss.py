import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(16, 2)
y = torch.randint(0, 3, (16,))
blobs = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(blobs.parameters(), lr=0.1)
for epoch in range(3):
    logits = blobs(X)
    labels_guessed = torch.softmax(logits, dim=1).argmax(dim=1).float()
    loss = loss_fn(labels_guessed, y.float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
