# ask: explain error
# ask: diagnose for it in range(20)
# cause: d_opt.step() changes D's weights in place between the forward `D(fake)` and `g_loss.backward()`, which still needs the old weights.
# line: d_opt.step() (between the use of pred_fake and g_loss.backward())
# cure: a new forward `pred_fake = D(fake)` for the generator after d_opt.step() (and fake.detach() in the D step).
# harmful: only retain_graph=True (already there, doesn't help); detaching fake in the G step; cloning weights/.data tricks.
import torch
import torch.nn as nn

torch.manual_seed(19)
G = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
g_opt = torch.optim.SGD(G.parameters(), lr=0.01)
d_opt = torch.optim.SGD(D.parameters(), lr=0.01)
bce = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for it in range(20):
    real = torch.randn(32, 2) + 3
    fake = G(torch.randn(32, 2))
    pred_fake = D(fake)
    d_loss = bce(D(real), ones) + bce(pred_fake, zeros)
    d_opt.zero_grad()
    d_loss.backward(retain_graph=True)
    d_opt.step()
    g_loss = bce(pred_fake, ones)
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
