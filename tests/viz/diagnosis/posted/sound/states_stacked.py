import torch

torch.manual_seed(0)
x = torch.randn(6, 4)
U = torch.randn(4, 4, requires_grad=True)
states = [torch.zeros(4)]
for t in range(1, 6):
    states.append(torch.tanh(x[t] + states[-1] @ U))
loss = torch.stack(states).pow(2).sum()
loss.backward()
