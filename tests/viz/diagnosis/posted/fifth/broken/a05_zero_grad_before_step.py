# ask: explain loss
# ask: diagnose loss = trainer.fit(loader, 20)
# cause: zero_grad() stands between backward() and step(), so step() has no gradients.
# line: optimizer.zero_grad()
# good: gradients are cleared before the step; move zero_grad() before backward() (or after step).
# harmful: remove zero_grad entirely.
import torch
from torch import nn
torch.manual_seed(4)
class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.MSELoss()
    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for xb, yb in loader:
                loss = self.criterion(self.model(xb), yb)
                loss.backward()
                self.optimizer.zero_grad()
                self.optimizer.step()
        return loss
x = torch.randn(96, 3)
y = x @ torch.tensor([[1.0], [2.0], [3.0]])
loader = [(x[i:i + 16], y[i:i + 16]) for i in range(0, 96, 16)]
trainer = Trainer(nn.Linear(3, 1), lr=0.05)
loss = trainer.fit(loader, 20)
print("loss", loss.item())
