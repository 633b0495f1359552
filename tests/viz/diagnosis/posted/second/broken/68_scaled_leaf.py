# question: I create w with requires_grad=True and scale it like Xavier, w.grad is None after backward.
# ask: explain w
# cause: randn(...) * 0.1 is the result of an operation, w is not a leaf and its grad is not kept
# line: w = torch.randn(5, 2, requires_grad=True) * 0.1
# cure: scale first and call requires_grad_() after || w.retain_grad() || torch.randn(5, 2).mul(0.1).requires_grad_()
# harmful: w.data
import torch

torch.manual_seed(68)
w = torch.randn(5, 2, requires_grad=True) * 0.1
x = torch.randn(7, 5)
loss = (x @ w).sigmoid().log().neg().sum()
loss.backward()
print(w.grad)
