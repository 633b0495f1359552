# subject = "Modules, helpers, decorators, hooks, caches and states"
# says_any = ["before the loop"]
# cure_any = ["old.detach()"]
# never = ["retain_graph=True"]

policy = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.Tanh(), T.nn.Linear(4, 2))
opt = T.optim.Adam(policy.parameters(), lr=1e-2)
states = T.randn(6, 3)
actions = T.tensor([0, 1, 0, 1, 1, 0])
adv = T.randn(6)

def logprob(s, a):
    return T.log_softmax(policy(s), -1).gather(1, a.unsqueeze(1)).squeeze(1)

old = logprob(states, actions)  # guilty
for epoch in range(4):
    ratio = T.exp(logprob(states, actions) - old)
    loss = -(ratio * adv).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
