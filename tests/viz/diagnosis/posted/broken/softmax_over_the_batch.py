import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(12, 8), torch.randint(0, 3, (12,))
for epoch in range(10):
    scores = net(x)
    log_probabilities = F.log_softmax(scores, dim=0)
    loss = F.nll_loss(log_probabilities, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
probabilities = log_probabilities.exp()
