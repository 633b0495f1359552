# question: GAN: my generator's gradients grow without end.
# ask: explain loss
# ask: diagnose step
# cause: opt_d.zero_grad() is called in place of opt_g.zero_grad(), so the generator's gradients add up over the iterations
# line: opt_d.zero_grad() || opt_g.step()
# cure: call opt_g.zero_grad() before the generator's backward
# harmful: clip the gradients
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(28)
G, D = nn.Linear(2, 2), nn.Linear(2, 1)
opt_g = torch.optim.SGD(G.parameters(), lr=0.01)
opt_d = torch.optim.SGD(D.parameters(), lr=0.01)
ones, zeros = torch.ones(8, 1), torch.zeros(8, 1)


def step():
    real, fake = torch.randn(8, 2) + 1, G(torch.randn(8, 2))
    opt_d.zero_grad()
    d_loss = F.binary_cross_entropy_with_logits(D(real), ones)
    d_loss = d_loss + F.binary_cross_entropy_with_logits(D(fake.detach()), zeros)
    d_loss.backward()
    opt_d.step()
    opt_d.zero_grad()
    g_loss = F.binary_cross_entropy_with_logits(D(fake), ones)
    g_loss.backward()
    opt_g.step()
    return g_loss

for _ in range(20):
    loss = step()
