# question: A series is not shuffled, on purpose; each batch has labels of both kinds.
# ask: explain loss
# ask: diagnose train_epoch
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
t = torch.arange(80.0)
points = torch.stack([torch.sin(t), torch.cos(t)], 1)
label = (torch.sin(t + 0.3) > 0).long()
data = torch.utils.data.TensorDataset(points, label)
loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=False)
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.2)


def train_epoch():
    for p, c in loader:
        loss = F.cross_entropy(net(p), c)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss

for _ in range(5):
    loss = train_epoch()
