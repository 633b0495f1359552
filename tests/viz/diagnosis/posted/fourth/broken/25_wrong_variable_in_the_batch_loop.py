# question: The loss of my loader loop stays at the variance of the targets.
# ask: explain loss
# ask: diagnose train_epoch
# cause: the model gets first, the same rows in each batch, not the batch xb whose targets it is compared with
# line: loss = F.mse_loss(model(first), yb)
# cure: model(xb)
# harmful: larger network
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(25)
data = torch.utils.data.TensorDataset(torch.randn(48, 3), torch.zeros(48, 1))
data.tensors[1].copy_(data.tensors[0].sum(1, keepdim=True))
loader = torch.utils.data.DataLoader(data, batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(model.parameters(), lr=0.02)
first = next(iter(loader))[0]


def train_epoch():
    for xb, yb in loader:
        opt.zero_grad()
        loss = F.mse_loss(model(first), yb)
        loss.backward()
        opt.step()
    return loss

for _ in range(5):
    loss = train_epoch()
