# ask: explain loss in sharpness_step
# ask: diagnose for it in range(150)
# cause: sound; what looks suspicious and is meant: two backward passes in a step.
# good: nothing found.
# harmful: any claim of a fault.
import torch
import torch.nn as nn


def sharpness_step(net, loss_of, opt, rho=0.05):
    loss = loss_of()
    loss.backward()
    with torch.no_grad():
        norm = torch.stack([p.grad.norm() for p in net.parameters()]).norm() + 1e-12
        shift = [rho * p.grad / norm for p in net.parameters()]
        for p, e in zip(net.parameters(), shift):
            p.add_(e)
    opt.zero_grad()
    loss_of().backward()
    with torch.no_grad():
        for p, e in zip(net.parameters(), shift):
            p.sub_(e)
    opt.step()
    opt.zero_grad()
    return loss.item()


def main():
    torch.manual_seed(4)
    x = torch.randn(300, 2)
    y = (x[:, 0] * x[:, 1] > 0).long()
    net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    for it in range(150):
        sharpness_step(net, lambda: nn.functional.cross_entropy(net(x), y), opt)
    print("acc", (net(x).argmax(1) == y).float().mean().item())


main()
