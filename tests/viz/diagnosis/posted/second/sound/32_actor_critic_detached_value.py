# question: The advantage is detached in my actor loss.
# ask: explain loss
# ask: diagnose step
# cause: sound
# line:
# cure: nothing to cure
# harmful: any claim of a fault; changing this
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(32)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.05)


def step():
    s = torch.randn(128, 3)
    logp = F.log_softmax(actor(s), 1)
    act = torch.multinomial(logp.detach().exp(), 1)
    reward = (act.squeeze(1) == (s[:, 0] > 0).long()).float() + s[:, 1]
    value = critic(s).squeeze(1)
    advantage = (reward - value).detach()
    loss = -(logp.gather(1, act).squeeze(1) * advantage).mean() + F.mse_loss(value, reward)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


for _ in range(30):
    loss = step()
