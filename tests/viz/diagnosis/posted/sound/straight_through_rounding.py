import torch


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


torch.manual_seed(0)
reviews = torch.rand(25, 6)
rating = torch.round(reviews.sum(1, keepdim=True))
net = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
losses = []
for k in range(30):
    stars = Round.apply(net(reviews))
    loss = torch.nn.functional.mse_loss(stars, rating)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
