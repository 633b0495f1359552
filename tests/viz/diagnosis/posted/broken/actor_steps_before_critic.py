import torch
import torch.nn as nn


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 8)
        self.mix = nn.Linear(8, 8)
        self.pi, self.v = nn.Linear(8, 2), nn.Linear(8, 1)

    def forward(self, s):
        z = torch.tanh(self.mix(torch.tanh(self.trunk(s))))
        return torch.log_softmax(self.pi(z), dim=-1), self.v(z)


torch.manual_seed(0)
ac = ActorCritic()
opt_a = torch.optim.Adam([*ac.trunk.parameters(), *ac.mix.parameters(), *ac.pi.parameters()], lr=0.01)
opt_c = torch.optim.Adam([*ac.trunk.parameters(), *ac.mix.parameters(), *ac.v.parameters()], lr=0.01)
for k in range(3):
    s, a, r = torch.randn(6, 4), torch.randint(0, 2, (6, 1)), torch.randn(6, 1)
    log_pi, v = ac(s)
    policy_loss = -(log_pi.gather(1, a) * (r - v).detach()).mean()
    value_loss = (r - v).pow(2).mean()
    opt_a.zero_grad()
    policy_loss.backward(retain_graph=True)
    opt_a.step()
    opt_c.zero_grad()
    value_loss.backward()
    opt_c.step()
