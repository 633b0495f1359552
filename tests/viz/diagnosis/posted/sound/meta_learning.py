import torch

torch.manual_seed(0)
start = torch.tensor([0.0, 0.0], requires_grad=True)
outer = torch.optim.SGD([start], lr=0.05)
tasks = [torch.tensor([1.0, 2.0]), torch.tensor([2.0, 1.0])]
xs = torch.randn(10, 2)
losses = []
for step in range(15):
    loss = torch.zeros(())
    for true in tasks:
        inner = ((xs[:5] @ start - xs[:5] @ true) ** 2).mean()
        slope, = torch.autograd.grad(inner, start, create_graph=True)
        adapted = start - 0.1 * slope
        loss = loss + ((xs[5:] @ adapted - xs[5:] @ true) ** 2).mean()
    outer.zero_grad()
    loss.backward()
    outer.step()
    losses.append(loss.item())
