# question: fake is detached when I train the discriminator; is the generator's step still right?
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(4)
gen, dis = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
og = torch.optim.Adam(gen.parameters(), lr=0.1)
od = torch.optim.Adam(dis.parameters(), lr=0.01)
ones, zeros = torch.ones(64, 1), torch.zeros(64, 1)


def step():
    real, fake = torch.randn(64, 2) + 2, gen(torch.randn(64, 2))
    d_loss = F.binary_cross_entropy_with_logits(dis(real), ones) + F.binary_cross_entropy_with_logits(dis(fake.detach()), zeros)
    od.zero_grad()
    d_loss.backward()
    od.step()
    g_loss = F.binary_cross_entropy_with_logits(dis(fake), ones)
    og.zero_grad()
    g_loss.backward()
    og.step()
    return g_loss


for _ in range(30):
    loss = step()
