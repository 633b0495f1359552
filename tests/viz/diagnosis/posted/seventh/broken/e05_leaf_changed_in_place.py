# ask: explain error
# ask: diagnose for i in range(30)
# cause: in-place update of a leaf which requires grad outside no_grad.
# line: w -= lr * w.grad
# cure: `with torch.no_grad():` around the update (then w.grad.zero_()).
# harmful: `w = w - lr * w.grad` (new non-leaf, its grad is None: AttributeError at once); requires_grad=False; detach in forward.
import torch

torch.manual_seed(4)
x = torch.randn(50, 3)
y = x @ torch.tensor([[2.0], [-1.0], [0.5]])
w = torch.zeros(3, 1, requires_grad=True)
lr = 0.1

for i in range(30):
    y_hat = x.mm(w)
    loss = (y_hat - y).pow(2).mean()
    loss.backward()
    w -= lr * w.grad
    w.grad.zero_()
print(w)
