import torch
from torch import nn
import torch.nn.functional as F


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
        self.actor = nn.Linear(16, 2)
        self.critic = nn.Linear(16, 1)


torch.manual_seed(0)
agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=0.01)
for episode in range(6):
    states = torch.randn(10, 4)
    actions = torch.randint(0, 2, (10, 1))
    returns = states[:, 0] + 1
    with torch.no_grad():
        values = agent.critic(agent.body(states)).squeeze(1)
    log_probs = F.log_softmax(agent.actor(agent.body(states)), dim=1).gather(1, actions).squeeze(1)
    advantage = returns - values
    loss = -(log_probs * advantage).mean() + 0.5 * advantage.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
