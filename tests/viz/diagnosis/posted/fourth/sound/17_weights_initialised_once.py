# question: apply(init_weights) stands before the training.
# ask: explain loss
# ask: diagnose train_epoch
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.kaiming_normal_(m.weight, nonlinearity="relu")
        nn.init.zeros_(m.bias)


torch.manual_seed(17)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
model.apply(init_weights)
opt = torch.optim.SGD(model.parameters(), lr=0.02)
x = torch.randn(40, 4)
y = x[:, :1] - x[:, 1:2]


def train_epoch():
    for xb, yb in zip(x.split(10), y.split(10)):
        opt.zero_grad()
        loss = F.mse_loss(model(xb), yb)
        loss.backward()
        opt.step()
    return loss

for _ in range(8):
    loss = train_epoch()
