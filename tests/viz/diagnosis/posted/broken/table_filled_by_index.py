import torch

torch.manual_seed(0)
x = torch.randn(6, 4)
U = torch.randn(4, 4, requires_grad=True)
h = torch.zeros(6, 4)
for t in range(1, 6):
    h[t] = torch.tanh(x[t] + h[t - 1] @ U)
loss = h[-1].sum()
loss.backward()
