import torch

torch.manual_seed(0)
x = torch.randn(5, 4)
W1 = torch.randn(4, 3, requires_grad=True) * 0.01
W2 = torch.zeros(3, 1, requires_grad=True)
score = torch.relu(x @ W1) @ W2
loss = (score - 1).pow(2).mean()
loss.backward()
print(W1.grad, W2.grad)
