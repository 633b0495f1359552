import copy

import torch
from torch import nn

torch.manual_seed(0)
q_net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
target_net = copy.deepcopy(q_net)
opt = torch.optim.Adam(q_net.parameters(), lr=0.01)
state, action = torch.randn(30, 3), torch.randint(0, 2, (30, 1))
reward, following = torch.randn(30), torch.randn(30, 3)
losses = []
for step in range(20):
    with torch.no_grad():
        goal = reward + 0.9 * target_net(following).max(dim=1).values
    loss = nn.functional.smooth_l1_loss(q_net(state).gather(1, action).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
    if step == 15:
        target_net.load_state_dict(q_net.state_dict())
