import torch

torch.manual_seed(0)
x, t = torch.randn(6, 2), torch.randn(6)
w = torch.zeros(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
loss = torch.nn.functional.mse_loss(x @ w + b, t)
torch.autograd.grad(loss, [w, b])
print(w.grad)
