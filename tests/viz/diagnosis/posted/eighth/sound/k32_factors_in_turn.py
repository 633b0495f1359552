# ask: explain loss
# ask: diagnose for turn in range(800)
# cause: sound; what looks suspicious and is meant: only one of two optimizers steps in a turn.
# good: nothing found.
# harmful: any claim of a fault.
import torch

torch.manual_seed(31)
truth = torch.randn(30, 3) @ torch.randn(3, 25)
seen = torch.rand(30, 25) < 0.6
P = torch.nn.Parameter(0.5 * torch.randn(30, 3))
Q = torch.nn.Parameter(0.5 * torch.randn(3, 25))
op, oq = torch.optim.Adam([P], lr=0.05), torch.optim.Adam([Q], lr=0.05)
for turn in range(800):
    opt = op if turn % 2 == 0 else oq
    loss = (P @ Q - truth)[seen].square().mean()
    op.zero_grad()
    oq.zero_grad()
    loss.backward()
    opt.step()
print("seen", loss.item(), "unseen", (P @ Q - truth)[~seen].square().mean().item())
