# question: GAN on a new version: variable modified by an inplace operation, version 2 expected 1; I use no in-place ops.
# ask: explain g_loss
# raises: RuntimeError
# cause: opt_d.step() changes D's weights in place between D(fake) and g_loss.backward(), which needs the old weights
# line: opt_d.step()
# cure: compute D(fake) anew after opt_d.step() || call opt_d.step() after g_loss.backward()
# harmful: retain_graph=True alone
import torch
from torch import nn

torch.manual_seed(77)
G, D = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
fake = G(torch.randn(4, 2))
judged = D(fake)
d_loss = judged.mean() - D(torch.randn(4, 3)).mean()
g_loss = -judged.mean()
d_loss.backward(retain_graph=True)
opt_d.step()
g_loss.backward()
opt_g.step()
