# question: With LBFGS the loss explodes to 1e20 or nan; the same model trains with Adam.
# ask: explain w
# ask: diagnose fit
# cause: the closure does not clear the gradients, so each evaluation adds to the former ones
# line: loss.backward() || def closure(): || optimizer.step(closure)
# cure: optimizer.zero_grad() at the start of the closure
# harmful: retain_graph; smaller lr alone
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(14)
a, b = torch.randn(30, 4), torch.randn(30)
w = torch.zeros(4, requires_grad=True)
optimizer = torch.optim.LBFGS([w], lr=1, max_iter=8)


def closure():
    loss = ((a @ w - b) ** 2).mean()
    loss.backward()
    return loss


def fit():
    return optimizer.step(closure)

for _ in range(4):
    loss = fit()
