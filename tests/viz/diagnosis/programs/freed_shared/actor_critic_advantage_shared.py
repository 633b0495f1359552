# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["shares"]
# cure_any = ["detach", "add", "once"]

class AC(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = T.nn.Linear(3, 8)
        self.pi, self.v = T.nn.Linear(8, 2), T.nn.Linear(8, 1)
    def forward(self, s):
        h = T.tanh(self.body(s))  # guilty
        return T.log_softmax(self.pi(h), -1), self.v(h)  # guilty

ac = AC()
opt = T.optim.Adam(ac.parameters())
logp, value = ac(T.randn(5, 3))  # guilty
reward = T.ones(5, 1)
adv = reward - value
critic_loss = adv.pow(2).mean()
actor_loss = -(logp[:, :1] * adv).mean()
opt.zero_grad()
critic_loss.backward()
actor_loss.backward()
opt.step()
