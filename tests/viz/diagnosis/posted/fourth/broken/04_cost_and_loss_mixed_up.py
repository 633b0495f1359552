# question: Binary CNN stays at 0.69; the parameters do not change in any batch.
# ask: explain loss
# ask: diagnose train
# cause: the criterion's value is called cost, but backward() is called on another tensor, loss, that does not depend on the model
# line: loss.backward() || loss = torch.zeros(1, requires_grad=True)
# cure: cost.backward()
# harmful: requires_grad_() on anything; larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(4)
cnn = nn.Sequential(nn.Conv1d(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(18, 1))
optimizer = torch.optim.Adam(cnn.parameters(), lr=1e-2)
signal = torch.randn(20, 1, 8)
labels = (signal.mean(2) > 0).float()
loss = torch.zeros(1, requires_grad=True)


def train():
    optimizer.zero_grad()
    cost = F.binary_cross_entropy_with_logits(cnn(signal), labels)
    loss.backward()
    optimizer.step()
    return cost

for _ in range(20):
    cost = train()
