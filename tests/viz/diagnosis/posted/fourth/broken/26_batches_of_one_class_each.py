# question: Accuracy is 50 %: after each half epoch the net says only the class it saw last.
# ask: explain loss
# ask: diagnose train_epoch
# cause: the data is sorted by class and not shuffled, every batch holds labels of one class only
# line: loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=False) || label = torch.cat([torch.zeros(40), torch.ones(40)]).long()
# cure: shuffle=True
# harmful: larger network
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
points = torch.cat([torch.randn(40, 2) - 0.5, torch.randn(40, 2) + 0.5])
label = torch.cat([torch.zeros(40), torch.ones(40)]).long()
data = torch.utils.data.TensorDataset(points, label)
loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=False)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.5)


def train_epoch():
    for p, t in loader:
        loss = F.cross_entropy(net(p), t)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss

for _ in range(5):
    loss = train_epoch()
