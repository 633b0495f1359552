# ask: explain loss
# ask: diagnose for update in range(200)
# cause: the advantage is not detached in the actor's loss: the actor's term also pushes the critic (value) around, in the wrong direction.
# line: actor_loss = -(logp * adv).mean()
# cure: `adv.detach()` in the actor's loss only.
# harmful: detaching adv in the critic's loss as well/instead (critic never learns); detaching logp; retain_graph.
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(23)


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 3))
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s):
        return Categorical(logits=self.actor(s)), self.critic(s).squeeze(-1)


ac = ActorCritic()
opt = torch.optim.Adam(ac.parameters(), lr=5e-3)
gaps = []

for update in range(200):
    s = torch.randn(128, 4)
    pi, v = ac(s)
    act = pi.sample()
    reward = (act == s[:, :3].argmax(1)).float() + s[:, 3]
    logp = pi.log_prob(act)
    adv = reward - v
    actor_loss = -(logp * adv).mean()
    critic_loss = adv.pow(2).mean()
    loss = actor_loss + 0.1 * critic_loss
    opt.zero_grad()
    loss.backward()
    opt.step()
    gaps.append(critic_loss.item())
print("critic error", gaps[0], gaps[-1])
