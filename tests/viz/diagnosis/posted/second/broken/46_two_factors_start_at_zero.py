# question: Matrix factorisation: U and V stay at zero for ever although the gradient exists.
# ask: explain U
# ask: diagnose step
# cause: both factors start at zero: the gradient of each is a product with the other, so both are zero (saddle point)
# line: U = torch.zeros(8, 2, requires_grad=True) || V = torch.zeros(6, 2, requires_grad=True)
# cure: start with small random numbers (torch.randn * 0.1)
# harmful: raise the learning rate
import torch

torch.manual_seed(46)
ratings = torch.rand(8, 6) * 5
U = torch.zeros(8, 2, requires_grad=True)
V = torch.zeros(6, 2, requires_grad=True)
opt = torch.optim.SGD([U, V], lr=0.1)


def step():
    guess = U @ V.T
    loss = ((ratings - guess) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(20):
    loss = step()
