# ask: explain loss
# ask: diagnose for epoch in range(80)
# cause: weight decay is multiplied by the batch size though the loss is a mean (0.256): weights shrink to 0.
# line: opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4 * batch_size, nesterov=True)
# cure: `weight_decay=5e-4` (or 0).
# harmful: raising decay; dropout; batch size change only.
import torch
import torch.nn as nn

batch_size = 512
torch.manual_seed(27)
X = torch.randn(2048, 12)
Y = ((X[:, 0] * X[:, 1] + X[:, 2]) > 0).long()

layers = [nn.Linear(12, 48), nn.ReLU()]
for _ in range(3):
    layers += [nn.Linear(48, 48), nn.ReLU()]
layers.append(nn.Linear(48, 2))
net = nn.Sequential(*layers)

opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4 * batch_size, nesterov=True)
lossf = nn.CrossEntropyLoss()
for epoch in range(80):
    for part in torch.randperm(2048).split(batch_size):
        opt.zero_grad()
        loss = lossf(net(X[part]), Y[part])
        loss.backward()
        opt.step()
    if epoch % 20 == 0:
        print(epoch, loss.item())
print("acc", (net(X).argmax(1) == Y).float().mean().item())
