import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 1))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(8, 3), torch.randn(8, 1)


def gradient_norm(loss):
    loss.backward()
    return sum(p.grad.norm().item() for p in net.parameters())


for epoch in range(3):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    print("gradient", gradient_norm(loss))
    opt.step()
