# question: Training runs but the loss changes only in the seventh digit.
# ask: explain loss
# ask: diagnose step
# cause: the learning rate of 1e-9 is far too small
# line: trainer = torch.optim.Adam(mlp.parameters(), lr=hp.lr) || lr: float = 1e-9
# cure: raise the learning rate (about 1e-3 or 1e-2 for Adam)
# harmful: lower the learning rate; more regularisation
import torch
from torch import nn
import torch.nn.functional as F
import dataclasses


@dataclasses.dataclass
class Settings:
    hidden: int = 10
    lr: float = 1e-9
    batch: int = 32


hp = Settings()
torch.manual_seed(13)
mlp = nn.Sequential(nn.Linear(5, hp.hidden), nn.GELU(), nn.Linear(hp.hidden, 1))
trainer = torch.optim.Adam(mlp.parameters(), lr=hp.lr)
x = torch.randn(hp.batch, 5)
y = x.mean(1, keepdim=True)


def step():
    loss = F.smooth_l1_loss(mlp(x), y)
    trainer.zero_grad()
    loss.backward()
    trainer.step()
    return loss


for _ in range(20):
    loss = step()
