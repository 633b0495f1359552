# question: LBFGS: Trying to backward through the graph a second time.
# ask: explain error
# cause: the prediction is computed once outside the closure; LBFGS calls the closure several times, and its graph is freed after the first
# line: pred = model(x)
# cure: compute pred in the closure
# harmful: retain_graph=True
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(39)
x, y = torch.rand(50, 5), torch.rand(50, 1)
model = nn.Linear(5, 1)
optimizer = torch.optim.LBFGS(model.parameters())
criterion = nn.MSELoss()
pred = model(x)


def closure():
    optimizer.zero_grad()
    loss = criterion(pred, y)
    loss.backward()
    return loss


optimizer.step(closure)
