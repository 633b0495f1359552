import torch

torch.manual_seed(0)
x = torch.randn(200, 3)
y = (x[:, 0] + x[:, 1] > 0).long()
net = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for epoch in range(6):
    x = x[torch.randperm(len(x))]
    for i in range(0, 200, 40):
        batch, labels = x[i : i + 40], y[i : i + 40]
        loss = torch.nn.functional.cross_entropy(net(batch), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
