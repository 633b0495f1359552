# ask: explain loss
# ask: diagnose for step in range(80)
# cause: the optimizer is built from the target network's parameters; the online net q never moves.
# line: optimizer = torch.optim.Adam(target.parameters(), lr=1e-3)
# good: gradients reach q's parameters which the optimizer doesn't hold; build it from q.parameters().
# harmful: train through the target.
import copy
import torch
from torch import nn
torch.manual_seed(5)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
optimizer = torch.optim.Adam(target.parameters(), lr=1e-3)
for step in range(80):
    s, s2 = torch.randn(32, 4), torch.randn(32, 4)
    a = torch.randint(0, 2, (32,))
    r = s[:, 0] * (a * 2 - 1)
    with torch.no_grad():
        goal = r + 0.5 * target(s2).max(dim=1).values
    chosen = q(s)[torch.arange(32), a]
    loss = nn.functional.mse_loss(chosen, goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 19:
        target.load_state_dict(q.state_dict())
print("loss", loss.item())
