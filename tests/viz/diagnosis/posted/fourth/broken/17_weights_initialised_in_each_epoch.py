# question: Every epoch begins with the same high loss, as if nothing of the last epoch were left.
# ask: explain loss
# ask: diagnose train_epoch
# cause: model.apply(init_weights) is called in each epoch and sets the weights back to random ones
# line: model.apply(init_weights)
# cure: call it once before the training
# harmful: larger learning rate
import torch
from torch import nn
import torch.nn.functional as F

def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_uniform_(m.weight)
        nn.init.zeros_(m.bias)


torch.manual_seed(17)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(40, 4)
y = x[:, :1] - x[:, 1:2]


def train_epoch():
    model.apply(init_weights)
    for xb, yb in zip(x.split(10), y.split(10)):
        opt.zero_grad()
        loss = F.mse_loss(model(xb), yb)
        loss.backward()
        opt.step()
    return loss

for _ in range(10):
    loss = train_epoch()
