import torch

torch.manual_seed(0)
net = torch.nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
views = torch.randn(4, 5, 3)
for epoch in range(2):
    terms = [net(view).pow(2).mean() for view in views]
    loss = sum(term.item() for term in terms)
    opt.zero_grad()
    loss.backward()
    opt.step()
