# ask: explain error
# ask: diagnose optimizer = torch.optim.SGD([W1, b1, W2], lr=0.1)
# cause: `torch.randn(..., requires_grad=True) * 0.01` is a result, not a leaf; the optimizer refuses it.
# line: W1 = torch.randn(8, 32, requires_grad=True) * 0.01
# cure: `(torch.randn(8, 32) * 0.01).requires_grad_()` / nn.Parameter(...).
# harmful: dropping W1 from the optimizer; retain_grad() only.
import torch
import torch.nn.functional as F

torch.manual_seed(26)
W1 = torch.randn(8, 32, requires_grad=True) * 0.01
b1 = torch.zeros(32, requires_grad=True)
W2 = torch.randn(32, 3, requires_grad=True)
optimizer = torch.optim.SGD([W1, b1, W2], lr=0.1)
X, Y = torch.randn(60, 8), torch.randint(0, 3, (60,))

for i in range(20):
    h = F.relu(X @ W1 + b1)
    loss = F.cross_entropy(h @ W2, Y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
