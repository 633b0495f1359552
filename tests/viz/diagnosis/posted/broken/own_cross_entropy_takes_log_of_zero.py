import torch

torch.manual_seed(0)
x = torch.cat([torch.randn(20, 1) * 2 - 20, torch.randn(20, 1) * 2 + 20])
y = torch.cat([torch.zeros(20, 1), torch.ones(20, 1)])
w = torch.tensor([[0.05]], requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=1.0)
for t in range(10):
    p = torch.sigmoid(x @ w + b)
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
