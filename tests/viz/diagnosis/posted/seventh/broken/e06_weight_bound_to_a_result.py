# ask: explain error
# ask: diagnose for epoch in range(40)
# cause: `w = w - lr * w.grad` makes w a non-leaf tensor, whose .grad is None in the next round.
# line: w = w - lr * w.grad
# cure: no_grad + `w -= lr * w.grad` and zero the grad, or an optimizer.
# harmful: `if w.grad is not None` (skips silently); retain_grad() only (graph grows); w.data reassign hack without zeroing.
import torch


def forward(x, w, b):
    return x * w + b


torch.manual_seed(5)
x = torch.linspace(0, 1, 20)
y = 3 * x + 1
w = torch.randn(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.2

for epoch in range(40):
    loss = ((forward(x, w, b) - y) ** 2).mean()
    loss.backward()
    w = w - lr * w.grad
    b = b - lr * b.grad
