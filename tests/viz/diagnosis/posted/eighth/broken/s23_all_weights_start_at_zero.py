# ask: explain loss
# ask: diagnose for epoch in range(150)
# cause: all weights are initialised to 0 in a ReLU net: hidden units are 0 and get no gradient, only the last bias moves.
# line: nn.init.zeros_(m.weight)
# line: nn.init.zeros_(m.bias)
# line: self.apply(self.begin)
# cure: kaiming/xavier/default init (remove `apply`). Only zero *biases* are fine.
# harmful: constant non-zero init; larger lr; changing the loss.
import torch
from torch import nn


class Judge(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.l1 = nn.Linear(d, h)
        self.l2 = nn.Linear(h, h)
        self.l3 = nn.Linear(h, 1)
        self.apply(self.begin)

    @staticmethod
    def begin(m):
        if isinstance(m, nn.Linear):
            nn.init.zeros_(m.weight)
            nn.init.zeros_(m.bias)

    def forward(self, x):
        x = torch.relu(self.l1(x))
        x = torch.relu(self.l2(x))
        return self.l3(x).squeeze(-1)


torch.manual_seed(19)
x = torch.randn(512, 5)
y = ((x[:, 0] + x[:, 1] * x[:, 2]) > 0).float()
judge = Judge(5, 32)
opt = torch.optim.Adam(judge.parameters(), lr=5e-3)
bce = nn.BCEWithLogitsLoss()

for epoch in range(150):
    loss = bce(judge(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 30 == 0:
        print(epoch, round(loss.item(), 4))
print("acc", ((judge(x) > 0) == (y > 0)).float().mean().item())
