import torch
import torch.nn as nn


def make(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.1)]
    return nn.Sequential(*layers[:-1])


torch.manual_seed(0)
gen, disc = make([3, 12, 2]), make([2, 12, 1])
optim_g = torch.optim.SGD(gen.parameters(), lr=0.05)
optim_d = torch.optim.SGD(disc.parameters(), lr=0.05)
grads = []


def train(rounds):
    global d_loss, g_loss
    for _ in range(rounds):
        samples = torch.randn(20, 2) + 2
        made = gen(torch.randn(20, 3))
        d_loss = disc(made.detach()).mean() - disc(samples).mean()
        d_loss.backward()
        grads.append(disc[0].weight.grad.norm().item())
        optim_d.step()

        optim_g.zero_grad()
        g_loss = -disc(made).mean()
        g_loss.backward()
        optim_g.step()


train(12)
