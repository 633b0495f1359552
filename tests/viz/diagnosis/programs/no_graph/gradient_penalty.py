# subject = "The history ended before the loss"
# says_any = ["create_graph"]
# cure_any = ["create_graph=true"]
# never = ["requires_grad_()"]
# [repair]
# old = "retain_graph=True)"
# new = "create_graph=True)"

class Critic(T.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = T.nn.Linear(2, 4)
        self.last = T.nn.Linear(4, 1)

    def forward(self, x):
        return self.last(T.tanh(self.first(x)))

def gradient_penalty(critic, x):
    x = x.clone().requires_grad_()
    score = critic(x).sum()
    gradient = T.autograd.grad(score, x, retain_graph=True)[0]  # guilty
    return ((gradient.pow(2).sum(1)) - 1).pow(2).mean()

critic = Critic()
optimizer = T.optim.Adam(critic.parameters(), lr=0.001)
for step in range(2):
    optimizer.zero_grad()
    penalty = gradient_penalty(critic, T.randn(4, 2))
    penalty.backward()
    optimizer.step()
