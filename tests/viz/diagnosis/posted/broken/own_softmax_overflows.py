import torch


def softmax(z):
    e = torch.exp(z)
    return e / e.sum(dim=1, keepdim=True)


torch.manual_seed(0)
W = torch.randn(10, 3, requires_grad=True)
X = torch.randn(6, 10) * 40
T = torch.randint(0, 3, (6,))
optimizer = torch.optim.SGD([W], lr=0.1)
for step in range(5):
    probabilities = softmax(X @ W)
    loss = -torch.log(probabilities[torch.arange(6), T] + 1e-9).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
