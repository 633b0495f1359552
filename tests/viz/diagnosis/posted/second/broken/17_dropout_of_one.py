# question: I set dropout to 1.0 because I thought it is the fraction to keep; the loss stays at log(2).
# ask: explain w1
# ask: diagnose step
# cause: Dropout(p=1.0) drops everything: p is the chance to drop, so nothing reaches the output layer
# line: self.drop = nn.Dropout(p=keep)
# cure: use a smaller p (for example 0.2), p is the chance of dropping
# harmful: call eval() during training for good
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, keep=1.0):
        super().__init__()
        self.l1 = nn.Linear(6, 12)
        self.drop = nn.Dropout(p=keep)
        self.l2 = nn.Linear(12, 1)

    def forward(self, x):
        x = torch.relu(self.l1(x))
        x = self.drop(x)
        return self.l2(x).squeeze(1)


torch.manual_seed(16)
model = Classifier()
w1 = model.l1.weight
x = torch.randn(40, 6)
y = (x[:, 1] > 0).float()
criterion = nn.BCEWithLogitsLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.2)


def step():
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
