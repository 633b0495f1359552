# question: LBFGS on a module with a line search, the closure inside the step.
# ask: explain loss
# ask: diagnose fit
# cause: sound
# line: 
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=5, line_search_fn="strong_wolfe")
x = torch.randn(30, 2)
y = x.prod(1, keepdim=True)


def fit():
    def closure():
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward()
        return loss

    return optimizer.step(closure)

for _ in range(4):
    loss = fit()
