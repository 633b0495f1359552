import copy

import torch

torch.manual_seed(3)
base = torch.nn.Linear(5, 1)
opt = torch.optim.SGD(base.parameters(), lr=0.05, momentum=0.9)
features = torch.randn(40, 5)
target = features @ torch.tensor([[1.0], [-2.0], [0.5], [0.0], [3.0]])

# fold 1
net = copy.deepcopy(base)
history = []
for step in range(12):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(net(features), target)
    loss.backward()
    opt.step()
    history.append(float(loss))
