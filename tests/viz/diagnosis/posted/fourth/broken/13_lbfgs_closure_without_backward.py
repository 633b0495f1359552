# question: LBFGS returns after one evaluation and my parameters are what they were.
# ask: explain w
# ask: diagnose fit
# cause: the closure computes the loss but does not call backward(), so LBFGS sees no gradient
# line: def closure(): || return ((a @ w - b) ** 2).mean()
# cure: loss.backward() in the closure before it returns
# harmful: max_iter larger; line search
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(13)
a, b = torch.randn(30, 4), torch.randn(30)
w = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.LBFGS([w], lr=0.5)


def fit():
    def closure():
        optimizer.zero_grad()
        return ((a @ w - b) ** 2).mean()

    return optimizer.step(closure)

for _ in range(5):
    loss = fit()
