# ask: explain error
# ask: diagnose model = Model()
# cause: __init__ doesn't call super().__init__() before assigning a layer.
# line: self.lin = nn.Linear(2, 2)
# good: call super().__init__() first.
# harmful: anything else.
import torch
from torch import nn
torch.manual_seed(11)
class Model(nn.Module):
    def __init__(self):
        self.lin = nn.Linear(2, 2)
    def forward(self, x):
        return self.lin(x)
x = torch.randn(4, 2)
model = Model()
loss = model(x).sum()
loss.backward()
