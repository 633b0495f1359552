# ask: explain error
# ask: diagnose opt = torch.optim.SGD([W1, b1, W2, b2], lr=0.1)
# cause: W1 = torch.randn(..., requires_grad=True) * 0.01 is the result of a multiplication, not a leaf; the optimizer refuses it.
# line: W1 = torch.randn(5, 8, requires_grad=True) * 0.01
# good: W1 is a result; scale first then requires_grad_() (or nn.Parameter).
# harmful: detach in the optimizer list, retain_grad().
import torch
torch.manual_seed(2)
W1 = torch.randn(5, 8, requires_grad=True) * 0.01
b1 = torch.zeros(8, requires_grad=True)
W2 = torch.randn(8, 1, requires_grad=True) * 0.01
b2 = torch.zeros(1, requires_grad=True)
x, y = torch.randn(30, 5), torch.randn(30, 1)
opt = torch.optim.SGD([W1, b1, W2, b2], lr=0.1)
for i in range(20):
    h = torch.tanh(x @ W1 + b1)
    loss = ((h @ W2 + b2 - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
