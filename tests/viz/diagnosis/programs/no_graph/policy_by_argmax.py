# subject = "No error, but no training"
# says_any = ["indices"]
# cure_any = ["softmax"]
# never = ["loss.requires_grad_()", "requires_grad_() before"]

class Policy(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = T.nn.Sequential(T.nn.Linear(2, 4), T.nn.Tanh(), T.nn.Linear(4, 2))

    def act(self, state):
        return self.net(state).max(1)[1]  # guilty

def rollout(policy, length):
    rewards = []
    state = T.ones(1, 2)
    for t in range(length):
        action = policy.act(state)
        rewards.append(action.float() * 0.5)
    return T.stack(rewards).sum()

policy = Policy()
optimizer = T.optim.SGD(policy.parameters(), lr=0.1)
for episode in range(2):
    reward = rollout(policy, 3)
    loss = -reward
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
