# ask: explain actor_loss
# ask: diagnose for it in range(100)
# cause: advantage is (64, 1) (critic's output) and log_prob is (64,): the product is (64, 64), so each log_prob is weighted by all the advantages.
# line: actor_loss = -(dist.log_prob(action) * advantage).mean()
# good: shapes (64,) and (64,1) broadcast to (64,64); squeeze the advantage/critic output.
# harmful: detach log_prob; a cure that leaves (64,64).
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
actor = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
critic = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-2)
for it in range(100):
    s = torch.randn(64, 3)
    dist = Categorical(logits=actor(s))
    action = dist.sample()
    reward = (action == s.argmax(1)).float().unsqueeze(1)
    advantage = (reward - critic(s)).detach()
    actor_loss = -(dist.log_prob(action) * advantage).mean()
    critic_loss = (critic(s) - reward).pow(2).mean()
    loss = actor_loss + 0.5 * critic_loss
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", loss.item(), "reward", reward.mean().item())
