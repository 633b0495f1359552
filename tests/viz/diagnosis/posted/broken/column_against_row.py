import torch

torch.manual_seed(0)
X = torch.rand(64, 3)
y = X[:, 0] + X[:, 1] + X[:, 2]
m = torch.nn.Linear(3, 1)
optim = torch.optim.SGD(m.parameters(), lr=0.1)
losses = []
for epoch in range(60):
    optim.zero_grad()
    out = m(X)
    loss = ((out - y) ** 2).mean()
    loss.backward()
    optim.step()
    losses.append(loss.item())
