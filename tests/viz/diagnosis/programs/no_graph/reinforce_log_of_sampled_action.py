# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["no_grad"]
# cure_any = ["out of"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Policy(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = T.nn.Sequential(T.nn.Linear(4, 8), T.nn.Tanh(), T.nn.Linear(8, 2))
    def act(self, obs):
        with T.no_grad():
            logp = T.log_softmax(self.net(obs), -1)  # guilty
        action = int(logp.exp().multinomial(1))
        return action, logp[action]

policy = Policy()
opt = T.optim.Adam(policy.parameters(), lr=1e-2)
log_probs, rewards = [], []
for t in range(5):
    action, lp = policy.act(T.randn(4))
    log_probs.append(lp)
    rewards.append(float(action))
returns = [sum(rewards[i:]) for i in range(len(rewards))]
loss = -sum(lp * g for lp, g in zip(log_probs, returns))
opt.zero_grad()
loss.backward()
opt.step()
