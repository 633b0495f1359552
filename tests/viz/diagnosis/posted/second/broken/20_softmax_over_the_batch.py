# question: My classifier's probabilities do not sum to one per row and accuracy stays low.
# ask: explain loss
# ask: diagnose step
# cause: log_softmax is taken over dim 0, the batch, instead of over the classes
# line: logp = nn.LogSoftmax(dim=0)(net(x))
# cure: use dim=1 (or dim=-1), the class dimension
# harmful: larger batches
import torch
from torch import nn

torch.manual_seed(19)
x = torch.randn(90, 5)
y = x[:, :3].argmax(1)
net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 3))
nll = nn.NLLLoss()
opt = torch.optim.Adam(net.parameters(), lr=0.01)


def step():
    opt.zero_grad()
    logp = nn.LogSoftmax(dim=0)(net(x))
    loss = nll(logp, y)
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
