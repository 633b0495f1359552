# ask: explain error
# ask: diagnose for i in range(10)
# cause: model.aux is never used in forward, yet autograd.grad goes to grad() all parameters.
# line: h = torch.tanh(self.enc(x))  (aux unused) / grads = torch.autograd.grad(loss, ...)
# good: names the aux parameters as unused in the loss; use aux, leave it out, or allow_unused=True.
# harmful: retain_graph / create_graph, requires_grad on the loss.
import torch
from torch import nn
torch.manual_seed(8)
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(3, 6)
        self.aux = nn.Linear(6, 6)
        self.dec = nn.Linear(6, 1)
    def forward(self, x):
        h = torch.tanh(self.enc(x))
        return self.dec(h)
model = Model()
x, y = torch.randn(20, 3), torch.randn(20, 1)
for i in range(10):
    loss = (model(x) - y).abs().mean()
    grads = torch.autograd.grad(loss, list(model.parameters()))
    with torch.no_grad():
        for p, g in zip(model.parameters(), grads):
            p -= 0.1 * g
